// Package section takes and replaces one section of a Markdown document, for programs that each write their own part of one. It knows
// headings of the second level and nothing else of Markdown.
package section

import "strings"

// Of returns the section with a heading, from its line up to the next heading of the second level; "" where there is none.
func Of(doc, heading string) string {
	start, end := bounds(doc, heading)
	return doc[start:end]
}

// Replace puts text in the place of the section with a heading, or behind everything where there is none. Text starts with the heading; the
// rest of the document stays as it is.
func Replace(doc, heading, text string) string {
	start, end := bounds(doc, heading)
	before, after := strings.TrimRight(doc[:start], "\n"), doc[end:]
	text = strings.TrimRight(text, "\n") + "\n"
	if before != "" {
		text = "\n\n" + text
	}
	if after != "" {
		text += "\n"
	}
	return before + text + after
}

func bounds(doc, heading string) (start, end int) {
	line := "## " + heading + "\n"
	switch i := strings.Index(doc, "\n"+line); {
	case strings.HasPrefix(doc, line):
	case i >= 0:
		start = i + 1
	default:
		return len(doc), len(doc)
	}
	if i := strings.Index(doc[start+len(line):], "\n## "); i >= 0 {
		return start, start + len(line) + i + 1
	}
	return start, len(doc)
}
