package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/redislint/redislint/analyzer"
	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/rules"
)

// options are the parsed flags.
type options struct {
	analyzer.Settings
	format, color        string
	explain              string
	rules, version, help bool
	verbose              bool
	fix, diff            bool
	baseline             string
	writeBaseline        bool
}

// flagSpec is one flag of the standalone command. The parser, the help, docs/flags.md and the completions are made from the same list.
type flagSpec struct {
	Name, Arg, Usage string
	Words            func() []string // what can stand behind it, for completion; nil for anything
	Files            bool            // a file name stands behind it
	value            func(*options) flag.Value
}

// flagGroup is a heading with flags.
type flagGroup struct {
	Title string
	Flags []flagSpec
}

func flagGroups() []flagGroup {
	var what []flagSpec
	for _, o := range analyzer.Options() {
		what = append(what, flagSpec{Name: o.Name, Arg: o.Arg, Usage: o.Usage, Words: o.Words,
			value: func(opt *options) flag.Value { return o.Value(&opt.Settings) }})
	}
	return []flagGroup{
		{"What is checked", what},
		{"Output", []flagSpec{
			choice("format", "FORMAT", "how findings are printed: "+strings.Join(formatNames(), ", "), formatNames, func(o *options) *string { return &o.format }),
			choice("color", "WHEN", "colour in text: auto (a terminal, without NO_COLOR), always, never", colorWords, func(o *options) *string { return &o.color }),
			toggle("v", "sum up on standard error what was looked at, and what was not and why", func(o *options) *bool { return &o.verbose }),
		}},
		{"Changing files", []flagSpec{
			toggle("fix", "apply the fixes, then report what is left", func(o *options) *bool { return &o.fix }),
			toggle("diff", "with -fix, print the changes and leave the files alone", func(o *options) *bool { return &o.diff }),
			{Name: "baseline", Arg: "FILE", Usage: "leave out the findings that FILE lists", Files: true,
				value: func(o *options) flag.Value { return (*textValue)(&o.baseline) }},
			toggle("write-baseline", "write all findings to the file of -baseline", func(o *options) *bool { return &o.writeBaseline }),
		}},
		{"About redislint", []flagSpec{
			{Name: "explain", Arg: "RULE", Usage: "print the documentation of a rule", Words: allRuleNames,
				value: func(o *options) flag.Value { return (*textValue)(&o.explain) }},
			toggle("rules", "list the rules; as JSON with -format=json", func(o *options) *bool { return &o.rules }),
			toggle("version", "print the version, and which servers the tables know", func(o *options) *bool { return &o.version }),
			toggle("h", "print this help", func(o *options) *bool { return &o.help }),
		}},
	}
}

func colorWords() []string { return []string{"auto", "always", "never"} }

func allRuleNames() []string {
	var names []string
	for _, r := range rules.All() {
		names = append(names, r.Name)
	}
	return names
}

func allFlags() []flagSpec {
	var all []flagSpec
	for _, g := range flagGroups() {
		all = append(all, g.Flags...)
	}
	return all
}

func toggle(name, usage string, field func(*options) *bool) flagSpec {
	return flagSpec{Name: name, Usage: usage, value: func(o *options) flag.Value { return (*boolValue)(field(o)) }}
}

func choice(name, arg, usage string, words func() []string, field func(*options) *string) flagSpec {
	return flagSpec{Name: name, Arg: arg, Usage: usage, Words: words,
		value: func(o *options) flag.Value { return choiceValue{field(o), words()} }}
}

func defaultOptions() options {
	return options{Settings: analyzer.DefaultSettings(), format: "text", color: "auto"}
}

// parseFlags reads flags and arguments in any order; everything behind "--" is an argument. An error is one line.
func parseFlags(args []string) (options, []string, error) {
	opt := defaultOptions()
	fs := flag.NewFlagSet("redislint", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for _, f := range allFlags() {
		fs.Var(f.value(&opt), f.Name, f.Usage)
	}
	fs.Var((*boolValue)(&opt.help), "help", "")
	var rest []string
	for len(args) > 0 {
		if args[0] == "--" {
			return opt, append(rest, args[1:]...), nil
		}
		if args[0] == "-" || !strings.HasPrefix(args[0], "-") {
			rest, args = append(rest, args[0]), args[1:]
			continue
		}
		if err := fs.Parse(args[:flagEnd(fs, args)]); err != nil {
			return opt, nil, flagError(err, args[0])
		}
		args = args[flagEnd(fs, args):]
	}
	return opt, rest, opt.check()
}

// flagEnd is how many words the flag at args[0] takes, so that arguments may stand between flags.
func flagEnd(fs *flag.FlagSet, args []string) int {
	name := strings.TrimLeft(args[0], "-")
	f := fs.Lookup(name)
	if f == nil { // -name=value, or unknown
		return 1
	}
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
		return 1
	}
	return min(2, len(args))
}

// flagError rewrites the flag package's errors: ours name what is near.
func flagError(err error, arg string) error {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	text := err.Error()
	switch {
	case errors.Is(err, flag.ErrHelp), strings.HasPrefix(text, "flag provided but not defined"):
		var names []string
		for _, f := range allFlags() {
			names = append(names, f.Name)
		}
		if near := server.NearestWord(name, names); near != "" {
			return fmt.Errorf("unknown flag -%s, did you mean -%s?", name, near)
		}
		return fmt.Errorf("unknown flag -%s; redislint help lists them", name)
	case strings.HasPrefix(text, "flag needs an argument"):
		return fmt.Errorf("-%s needs a value", name)
	}
	for _, between := range []string{" for flag -", " for -"} {
		if _, why, ok := strings.Cut(text, between+name+": "); ok {
			return fmt.Errorf("-%s: %s", name, strings.TrimPrefix(why, name+" "))
		}
	}
	return err
}

// check refuses flags that say nothing together.
func (o options) check() error {
	switch {
	case o.diff && !o.fix:
		return errors.New("-diff needs -fix")
	case o.writeBaseline && o.baseline == "":
		return errors.New("-write-baseline needs -baseline FILE")
	case o.writeBaseline && o.fix:
		return errors.New("-write-baseline and -fix exclude each other: fix first")
	}
	return nil
}

type textValue string

func (v *textValue) Set(s string) error { *v = textValue(s); return nil }
func (v *textValue) String() string {
	if v == nil {
		return ""
	}
	return string(*v)
}

type boolValue bool

func (v *boolValue) IsBoolFlag() bool { return true }
func (v *boolValue) Set(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return errors.New("want true or false")
	}
	*v = boolValue(b)
	return nil
}
func (v *boolValue) String() string {
	if v == nil {
		return "false"
	}
	return strconv.FormatBool(bool(*v))
}

// choiceValue takes one word of a list.
type choiceValue struct {
	field *string
	words []string
}

func (v choiceValue) Set(s string) error {
	if !slices.Contains(v.words, s) {
		hint := ""
		if near := server.NearestWord(s, v.words); near != "" {
			hint = fmt.Sprintf(", did you mean %q?", near)
		}
		return fmt.Errorf("%q is not known%s (known: %s)", s, hint, strings.Join(v.words, ", "))
	}
	*v.field = s
	return nil
}
func (v choiceValue) String() string {
	if v.field == nil {
		return ""
	}
	return *v.field
}
