package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/redislint/redislint/rules"
)

const (
	styleReset = "\x1b[0m"
	styleBold  = "\x1b[1m"
	styleDim   = "\x1b[2m"
)

// styleOf colours a severity.
func styleOf(s rules.Severity) string {
	return [...]string{rules.Note: "\x1b[36m", rules.Warning: "\x1b[33m", rules.ErrorSeverity: "\x1b[31m"}[s]
}

// printText writes for people: the place and the message, the line with a caret span under it, and what to do next.
func printText(w io.Writer, r report) error {
	out := bufio.NewWriter(w)
	paint := func(style, text string) string {
		if !r.color {
			return text
		}
		return style + text + styleReset
	}
	for _, f := range r.findings {
		at := fmt.Sprintf("%s:%d:%d:", r.files.short(f.file), f.startLine, f.startCol)
		fmt.Fprintf(out, "%s %s: %s: %s\n", paint(styleBold, at), paint(styleOf(f.severity), f.severity.String()), f.rule.Name, visible(f.message))
		if line := r.files.get(f.file).line(f.startLine); line != "" {
			shown, carets := underline(line, f.place)
			fmt.Fprintf(out, "    %s\n    %s\n", shown, paint(styleOf(f.severity), carets))
		}
		for _, rel := range f.related {
			fmt.Fprintf(out, "    %s:%d:%d: %s\n", r.files.short(rel.file), rel.startLine, rel.startCol, visible(rel.message))
		}
		fmt.Fprintf(out, "    %s\n", paint(styleDim, hint(f)))
	}
	return out.Flush()
}

// hint is what the reader can do next.
func hint(f finding) string {
	if len(f.fixes) > 0 {
		return "fix: " + visible(f.fixes[0].title) + " (redislint -fix)"
	}
	return "more: redislint -explain " + f.rule.Name
}

// window is how many bytes of a line are shown on each side of a finding.
const window = 100

// underline gives the line as it can be shown, and the carets to print under it. Tabs stay tabs in both, so that they line up at any tab
// width; a wide character takes two marks. A long line is cut around the finding.
func underline(line string, p place) (shown, carets string) {
	start := min(p.startCol-1, len(line))
	end := len(line)
	if p.endLine == p.startLine {
		end = min(max(p.endCol-1, start), len(line))
	}
	from, to := cutAround(line, start, end)
	end = min(end, to)
	before, under := visible(line[from:start]), visible(line[start:end])
	pad, mark := blanks(before), "^"+strings.Repeat("~", max(0, width(under)-1))
	shown = before + under + visible(line[end:to])
	if from > 0 {
		shown, pad = "…"+shown, " "+pad
	}
	if to < len(line) {
		shown += "…"
	}
	return shown, pad + mark
}

// cutAround chooses which bytes of a line are shown, on character boundaries. Bytes that begin no character may follow each other without
// end in a text that is no UTF-8, so it looks no further than a character is long.
func cutAround(line string, start, end int) (from, to int) {
	from, to = max(0, start-window), min(len(line), max(start+2*window, min(end, start+4*window)))
	for i := 1; i < utf8.UTFMax && from > 0 && !utf8.RuneStart(line[from]); i++ {
		from--
	}
	for i := 1; i < utf8.UTFMax && to < len(line) && !utf8.RuneStart(line[to]); i++ {
		to++
	}
	return from, to
}

// visible replaces what would move the cursor or speak to the terminal: the text comes from files that nobody vouches for.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// blanks is as wide as text: tabs stay, wide characters become two spaces.
func blanks(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\t' {
			b.WriteByte('\t')
			continue
		}
		b.WriteString(strings.Repeat(" ", runeWidth(r)))
	}
	return b.String()
}

func width(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

// wide holds the blocks of Unicode's East Asian Width W and F, and the emoji, coarsely.
var wide = [...][2]rune{{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},
	{0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}}

// runeWidth is how many columns a terminal gives a character.
func runeWidth(r rune) int {
	if r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	for _, block := range wide {
		if block[0] <= r && r <= block[1] {
			return 2
		}
	}
	return 1
}
