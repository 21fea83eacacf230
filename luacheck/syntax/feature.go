package syntax

import "strings"

// A featureRow tells what a text most likely meant by what stands at the error.
type featureRow struct {
	at     string // how the text goes on at the token of the error
	before string // what stands directly before it
	name   string
}

// featureRows are looked through in order; the first that fits wins.
var featureRows = []featureRow{
	{"::", "", "label"},
	{":", ":", "label"},
	{"<const>", "", "attribute"},
	{"<close>", "", "attribute"},
	{"<", "<", "bitwise operator"},
	{">", ">", "bitwise operator"},
	{">", "<", "!="},
	{"!=", "", "!="},
	{"!", "", "! operator"},
	{"&&", "", "&& operator"},
	{"||", "", "|| operator"},
	{"++", "", "increment"},
	{"+=", "", "compound assignment"},
	{"-=", "", "compound assignment"},
	{"*=", "", "compound assignment"},
	{"/=", "", "compound assignment"},
	{"%=", "", "compound assignment"},
	{"^=", "", "compound assignment"},
	{"..=", "", "compound assignment"},
	{"&=", "", "compound assignment"},
	{"|=", "", "compound assignment"},
	{"&", "", "bitwise operator"},
	{"|", "", "bitwise operator"},
	{"~", "", "bitwise operator"},
	{"*", "/", "/* comment"},
	{"/*", "", "/* comment"},
	{"//", "", "// comment"},
	{"=", "==", "=== operator"},
	{">", "=", "arrow function"},
	{"=>", "", "arrow function"},
	{"?", "", "? operator"},
	{"`", "", "backquoted string"},
	{";", "", "empty statement"},
	{"\x00", "", "NUL byte"},
	{"\x1bLua", "", "compiled chunk"},
	{"\xef\xbb\xbf", "", "byte order mark"},
	{"\xc2\xa0", "", "no-break space"},
	{"\xe2\x80\x98", "", "smart quote"},
	{"\xe2\x80\x99", "", "smart quote"},
	{"\xe2\x80\x9c", "", "smart quote"},
	{"\xe2\x80\x9d", "", "smart quote"},
}

// featureWords are the words of other languages that read as a name here, so that the server stops at the token behind.
var featureWords = map[string]string{"goto": "goto", "continue": "continue", "elif": "elif", "elsif": "elif", "var": "var", "let": "var",
	"const": "var", "switch": "switch", "try": "try", "class": "class", "import": "import", "def": "def"}

// feature names the foreign construct at an error, or "".
func (p *parser) feature(at Span) string {
	if p.lua54 || int(at.Start) >= len(p.s.text) {
		return ""
	}
	if p.tok.kind == TBad {
		return badFeature(p.s.text[at.Start:at.End])
	}
	rest, before := p.s.text[at.Start:], p.s.text[:at.Start]
	if rest[0] == '/' && strings.HasSuffix(before, "/") {
		if firstOnLine(before[:len(before)-1]) {
			return "// comment"
		}
		return "integer division"
	}
	if rest[0] == '#' && firstOnLine(before) {
		return "# comment"
	}
	for _, r := range featureRows {
		if strings.HasPrefix(rest, r.at) && strings.HasSuffix(before, r.before) {
			return r.name
		}
	}
	if rest[0] >= 0x80 {
		return "non-ASCII name"
	}
	return featureWords[lastWord(p.s.text[:p.prevEnd])]
}

func firstOnLine(before string) bool {
	before = strings.TrimRight(before, " \t\v\f")
	return before == "" || class[before[len(before)-1]]&clLine != 0
}

// lastWord is the name that a text ends with.
func lastWord(text string) string {
	i := len(text)
	for i > 0 && class[text[i-1]]&clWord != 0 {
		i--
	}
	return text[i:]
}

// badFeature looks at a token that could not be read.
func badFeature(raw string) string {
	if class[raw[0]]&clDigit == 0 {
		if i := strings.IndexAny(raw, "\r\n"); strings.HasSuffix(raw, `\z`) || i > 0 && strings.HasSuffix(raw[:i], `\z`) {
			return `\z escape`
		}
		return ""
	}
	switch low := strings.ToLower(raw); {
	case strings.HasPrefix(low, "0b"):
		return "binary numeral"
	case strings.Contains(low, "_"):
		return "digit separator"
	case strings.Contains(low, ".."):
		return "concatenation without blanks"
	case strings.HasSuffix(low, "ll"), strings.HasSuffix(low, "i"):
		return "number suffix"
	}
	return ""
}
