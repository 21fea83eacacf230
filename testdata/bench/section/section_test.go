package section

import "testing"

func TestReplace(t *testing.T) {
	const doc = "# Title\n\ntext\n\n## One\n\nold\n\n## Two\n\nlast\n"
	for _, c := range []struct{ doc, heading, text, want string }{
		{doc, "One", "## One\n\nnew\n", "# Title\n\ntext\n\n## One\n\nnew\n\n## Two\n\nlast\n"},
		{doc, "Two", "## Two\n\nnew\n", "# Title\n\ntext\n\n## One\n\nold\n\n## Two\n\nnew\n"},
		{doc, "Three", "## Three\n\nnew", doc + "\n## Three\n\nnew\n"},
		{"## One\nold\n", "One", "## One\nnew\n", "## One\nnew\n"},
		{"", "One", "## One\n", "## One\n"},
	} {
		got := Replace(c.doc, c.heading, c.text)
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.heading, got, c.want)
		}
		if again := Replace(got, c.heading, Of(got, c.heading)); again != got {
			t.Errorf("%s: a section put in its own place changes the document: %q", c.heading, again)
		}
	}
	if got := Of(doc, "Tw"); got != "" {
		t.Errorf("got %q for a heading that is not there", got)
	}
}
