// Package lua writes Redis scripts for measurements: as long as the scripts of public Go projects are (half of them have up to 19 lines,
// nine in ten up to 79, the longest about a thousand), with what those have in them: comments, blank lines, guards, loops, helper
// functions, KEYS and ARGV. The same arguments always give the same texts. They load on a server, and no rule finds anything in them.
package lua

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// Scripts gives scripts that have at least so many lines in all.
func Scripts(lines int) []string {
	r := rand.New(rand.NewPCG(7, 19))
	var list []string
	for n := 0; n < lines; {
		s := script(r, length(r))
		n += strings.Count(s, "\n")
		list = append(list, s)
	}
	return list
}

// Long gives one script of at least so many lines.
func Long(lines int) string { return script(rand.New(rand.NewPCG(7, 79)), lines) }

// length draws a number of lines: its logarithm is spread normally, with 19 in the middle and 79 at nine tenths.
func length(r *rand.Rand) int {
	n := math.Exp(math.Log(19) + math.Log(79.0/19)/1.2816*r.NormFloat64())
	return int(math.Min(math.Max(n, 3), 1063))
}

// writer puts one script together.
type writer struct {
	strings.Builder
	r     *rand.Rand
	parts int
	lines int
}

// piece writes a piece and replaces each $ in it by the number of the part, so that names differ.
func (w *writer) piece(text string) {
	w.parts++
	text = strings.ReplaceAll(text, "$", fmt.Sprint(w.parts))
	w.WriteString(text)
	w.lines += strings.Count(text, "\n")
}

func (w *writer) pick(from []string) string { return from[w.r.IntN(len(from))] }

func script(r *rand.Rand, lines int) string {
	w := &writer{r: r}
	if lines < 9 {
		w.piece(w.pick(short))
		return w.String()
	}
	w.piece(w.pick(heads))
	for lines > 60 && w.lines < lines/3 && w.parts < 40 {
		w.piece(w.pick(helpers))
	}
	for w.lines < lines-4 {
		body := w.pick(bodies)
		if lines > 200 {
			body = "do\n" + indent(body) + "end\n"
		}
		w.piece(body)
		if w.r.IntN(3) > 0 {
			w.piece("\n")
		}
	}
	w.piece(w.pick(tails))
	return w.String()
}

func indent(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		if strings.TrimSpace(l) != "" {
			lines[i] = "  " + l
		}
	}
	return strings.Join(lines, "")
}
