package syntax

import (
	"reflect"
	"strings"
	"testing"
)

// holesOf reads a fuzz input: a NUL-free mask of the same length marks hole bytes with '?'.
func holesOf(text, mask string) []Span {
	var out []Span
	for i := 0; i < len(text) && i < len(mask); {
		if mask[i] != '?' {
			i++
			continue
		}
		start := i
		for i < len(text) && i < len(mask) && mask[i] == '?' {
			i++
		}
		out = append(out, SpanOf(start, i))
	}
	return out
}

func addSeeds(f *testing.F) {
	for _, c := range dialectCases(f) {
		if len(c.text()) < 400 {
			f.Add(c.text(), "", false)
		}
	}
	for _, c := range holeCases {
		f.Add(c.text, c.mask, false)
	}
	f.Add("goto a ::a:: local x <const> = 7 // 2 & 3 ;; return '\\x41\\z\n\\u{41}'", "", true)
}

func dialectOf(lua54 bool) Dialect {
	if lua54 {
		return Lua54
	}
	return Lua51
}

// FuzzScan: the tokens and what lies between them make up the text, and what lies between is white space.
func FuzzScan(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text, mask string, lua54 bool) {
		checkScan(t, Source{text, holesOf(text, mask)}, dialectOf(lua54))
	})
}

func checkScan(t *testing.T, src Source, d Dialect) {
	t.Helper()
	pos := 0
	for _, tok := range Scan(src, d) {
		if int(tok.Start) < pos || tok.End <= tok.Start || int(tok.End) > len(src.Text) {
			t.Fatalf("token %v at %v behind offset %d in %q", tok.Kind, tok.Span, pos, src.Text)
		}
		checkGap(t, src.Text[pos:tok.Start])
		pos = int(tok.End)
	}
	checkGap(t, src.Text[pos:])
}

func checkGap(t *testing.T, gap string) {
	t.Helper()
	if strings.Trim(gap, " \t\v\f\r\n") != "" {
		t.Fatalf("%q lies between tokens", gap)
	}
}

// FuzzParse: no panic, the tree is sane, Walk reaches all of it, and the rough counts of limits miss nothing.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text, mask string, lua54 bool) {
		src := Source{text, holesOf(text, mask)}
		checkChunk(t, Parse(src, dialectOf(lua54)))
		checkCounts(t, src)
	})
}

// countNodes counts the nodes of a tree by reflection, whatever Walk knows: each distinct pointer to a node type, and the clauses and
// fields within slices.
func countNodes(c *Chunk) int {
	n := 0
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface:
			if !v.IsNil() {
				visit(v.Elem())
			}
		case reflect.Pointer:
			if !v.IsNil() {
				n++
				visitFields(v.Elem(), visit)
			}
		case reflect.Slice:
			for i := range v.Len() {
				item := v.Index(i)
				switch item.Interface().(type) {
				case IfClause, Field:
					n++
					visitFields(item, visit)
				default:
					visit(item)
				}
			}
		}
	}
	visit(reflect.ValueOf(c.Body))
	return n + 1
}

func visitFields(v reflect.Value, visit func(reflect.Value)) {
	for i := range v.NumField() {
		visit(v.Field(i))
	}
}
