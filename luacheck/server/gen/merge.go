package main

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// entry is a command (or "command|subcommand") as some dumps show it.
type entry struct {
	command
	dumps int        // bit i: the i-th dump shows exactly this
	since [2]version // by product
}

// merge joins the dumps to one list of distinct rows, by name and then by the first dump that shows them.
func merge(dumps []*dump, words []optionWord) []entry {
	sinces := firstVersions(dumps)
	byName := map[string][]entry{}
	for i, d := range dumps {
		for _, c := range flatten(d, dumps) {
			addOptionWords(c.Name, c.Args, words, d.product())
			e := entry{command: c, dumps: 1 << i, since: sinces[c.Name]}
			list := byName[c.Name]
			at := slices.IndexFunc(list, func(x entry) bool { return sameRow(x, e) })
			if at < 0 {
				byName[c.Name] = append(list, e)
			} else {
				list[at].dumps |= e.dumps
			}
		}
	}
	var out []entry
	for _, name := range sortedKeys(byName) {
		out = append(out, byName[name]...)
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// sameRow is whether two rows would be written alike.
func sameRow(a, b entry) bool {
	return commandLiteral(a, 0) == commandLiteral(b, 0)
}

// flatten lists commands and subcommands of a dump. Redis 6.2 has neither subcommands, key specs nor documentation in COMMAND: these come
// from 7.0, less what 7.0 says is newer than 6.2; a subcommand then has the flags that its command has in 6.2.
func flatten(d *dump, all []*dump) []command {
	var later map[string]command
	if parseVersion(d.version()).less(version{7}) {
		later = map[string]command{}
		for _, c := range nextDump(d, all).Commands {
			later[c.Name] = c
		}
	}
	var out []command
	for _, c := range d.Commands {
		if l, ok := later[c.Name]; ok {
			c.Keys, c.Since, c.Group, c.Args = l.Keys, l.Since, l.Group, l.Args
			for _, s := range l.Subs {
				if !parseVersion(d.version()).less(parseVersion(s.Since)) {
					s.Flags = c.Flags
					c.Subs = append(c.Subs, s)
				}
			}
		}
		subs := c.Subs
		c.Subs = nil
		out = append(out, copyArgs(withFacts(c, d)))
		for _, s := range subs {
			out = append(out, copyArgs(withFacts(s, d)))
		}
	}
	return out
}

func nextDump(d *dump, all []*dump) *dump {
	for _, x := range all {
		if x.product() == d.product() && len(x.Commands) > 0 && parseVersion(d.version()).less(parseVersion(x.version())) {
			return x
		}
	}
	return d
}

// withFacts adds what COMMAND does not show: which commands read-only scripts refuse though they do not write (found by calling every
// command under EVAL_RO on 7.0.15 and 8.6.3, Valkey 8.1.1 and 9.1.2), and keys of commands that only have the old first-last-step form.
func withFacts(c command, d *dump) command {
	valkey := d.product() == "valkey"
	v := parseVersion(d.version())
	switch {
	case c.Name == "pfcount", c.Name == "publish", c.Name == "spublish",
		valkey && c.Name == "cluster|setslot" && !v.less(version{8}),
		valkey && c.Name == "cluster|syncslots":
		if !slices.Contains(c.Flags, "may_replicate") {
			c.Flags = append(slices.Clone(c.Flags), "may_replicate")
		}
	}
	if c.Name == "stralgo" {
		c.Since = "6.0.0"
	}
	if len(c.Keys) == 0 && len(c.Range) == 3 {
		access := []string{"RO", "access"}
		if slices.Contains(c.Flags, "write") {
			access = []string{"RW", "access", "update"}
		}
		last := c.Range[1]
		if last > 0 {
			last -= c.Range[0]
		}
		c.Keys = []keySpec{{Flags: access, Index: c.Range[0], Range: []int{last, c.Range[2], 0}}}
	}
	return c
}

// copyArgs makes the grammar the command's own, so that words may be dated in it.
func copyArgs(c command) command {
	c.Args = cloneArgs(c.Args)
	return c
}

func cloneArgs(list []arg) []arg {
	list = slices.Clone(list)
	for i := range list {
		list[i].Args = cloneArgs(list[i].Args)
	}
	return list
}

// firstVersions is the first version of each command by product, as the newest dump of the product says.
func firstVersions(dumps []*dump) map[string][2]version {
	out := map[string][2]version{}
	for _, d := range dumps {
		p := 0
		if d.product() == "valkey" {
			p = 1
		}
		for _, c := range flatten(d, dumps) {
			if c.Since != "" {
				v := out[c.Name]
				v[p] = parseVersion(c.Since)
				out[c.Name] = v
			}
		}
	}
	return out
}

// optionWord dates one option word of a command.
type optionWord struct{ command, since, word, product string }

// readOptionWords reads options.txt: command, version, words, products.
func readOptionWords(dir string) ([]optionWord, error) {
	f, err := os.Open(filepath.Join(dir, "options.txt"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []optionWord
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 4 || fields[0] == "#" {
			continue
		}
		for _, product := range strings.Split(fields[3], "+") {
			for _, w := range strings.Split(fields[2], ",") {
				out = append(out, optionWord{fields[0], fields[1], w, product})
			}
		}
	}
	return out, lines.Err()
}

// addOptionWords dates the words that the grammar of COMMAND DOCS leaves undated but the documentation's history dates. Where the
// grammar dates a word itself, or what holds it, that stands.
func addOptionWords(name string, list []arg, words []optionWord, product string) {
	for i := range list {
		a := &list[i]
		if a.Since != "" {
			continue
		}
		for _, w := range words {
			if w.command == name && w.product == product && a.Token == w.word {
				a.Since = w.since
			}
		}
		addOptionWords(name, a.Args, words, product)
	}
}
