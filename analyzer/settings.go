package analyzer

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redislint/redislint/luacheck/server"
	"github.com/redislint/redislint/rules"
)

// Settings are what a user sets, as text, wherever redislint runs: flags of the command and of go vet, keys in .golangci.yml.
type Settings struct {
	Target    string
	Cluster   bool
	Enable    Names
	Disable   Names
	Severity  string
	Tests     bool
	Generated bool
}

// Names is a list of rule names, as a flag separated by commas.
type Names []string

// String returns the names with commas between them.
func (n Names) String() string { return strings.Join(n, ",") }

// Option documents one setting and ties it to a flag. Every host takes its flags, and the documentation its text, from Options.
type Option struct {
	Name  string
	Arg   string // what stands behind the name in help; "" for a switch
	Usage string // lower case, no full stop
	Words func() []string
	set   func(*Settings, string) error
	get   func(*Settings) string
}

// DefaultSettings are the settings of a user who sets nothing.
func DefaultSettings() Settings {
	return Settings{Target: server.DefaultTarget, Cluster: true, Severity: rules.Note.String(), Tests: true, Generated: true}
}

// Options lists the settings in the order of the documentation.
func Options() []Option {
	return []Option{
		{Name: "target", Arg: "LIST", Usage: "servers that the scripts must work on, such as redis@7.0+,valkey@8; see docs/targets.md",
			get: func(s *Settings) string { return s.Target },
			set: func(s *Settings, v string) error {
				s.Target = v
				_, err := server.ParseTarget(v, s.Cluster)
				return err
			}},
		boolOption("cluster", "the scripts must also work on a cluster", func(s *Settings) *bool { return &s.Cluster }),
		namesOption("enable", "opt-in rules to add to the default set", func(s *Settings) *Names { return &s.Enable }),
		namesOption("disable", "rules to leave out", func(s *Settings) *Names { return &s.Disable }),
		{Name: "severity", Arg: "LEVEL", Usage: "the least severity that is shown: note, warning or error", Words: severities,
			get: func(s *Settings) string { return s.Severity },
			set: func(s *Settings, v string) error {
				s.Severity = v
				_, err := ParseSeverity(v)
				return err
			}},
		boolOption("tests", "look at test files too", func(s *Settings) *bool { return &s.Tests }),
		boolOption("generated", "report in generated Go files too", func(s *Settings) *bool { return &s.Generated }),
	}
}

func boolOption(name, usage string, field func(*Settings) *bool) Option {
	return Option{Name: name, Usage: usage,
		get: func(s *Settings) string { return strconv.FormatBool(*field(s)) },
		set: func(s *Settings, v string) error {
			b, err := strconv.ParseBool(v)
			*field(s) = b
			if err != nil {
				return fmt.Errorf("want true or false")
			}
			return nil
		}}
}

func namesOption(name, usage string, field func(*Settings) *Names) Option {
	return Option{Name: name, Arg: "RULES", Usage: usage, Words: ruleNames,
		get: func(s *Settings) string { return field(s).String() },
		set: func(s *Settings, v string) error {
			list := strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' })
			*field(s) = append(*field(s), list...)
			_, err := findRules(rules.All(), list)
			return err
		}}
}

// Register adds the settings to a FlagSet. A wrong value is refused while flags are parsed.
func (s *Settings) Register(fs *flag.FlagSet) {
	for _, o := range Options() {
		fs.Var(o.Value(s), o.Name, o.Usage)
	}
}

// settingValue makes a flag.Value of a setting.
type settingValue struct {
	settings *Settings
	option   Option
}

func (v settingValue) Set(text string) error { return v.option.set(v.settings, text) }
func (v settingValue) IsBoolFlag() bool      { return v.option.Arg == "" }
func (v settingValue) String() string {
	if v.settings == nil { // package flag compares with the zero value
		return ""
	}
	return v.option.get(v.settings)
}

// Config checks the settings and makes a Config of them. An error is one line that says what is wrong and what is known.
func (s Settings) Config() (Config, error) {
	target, err := server.ParseTarget(s.Target, s.Cluster)
	if err != nil {
		return Config{}, err
	}
	severity, err := ParseSeverity(s.Severity)
	if err != nil {
		return Config{}, err
	}
	all := rules.All()
	enable, err := findRules(all, s.Enable)
	if err != nil {
		return Config{}, err
	}
	disable, err := findRules(all, s.Disable)
	if err != nil {
		return Config{}, err
	}
	chosen := slices.DeleteFunc(all, func(r *rules.Rule) bool {
		return slices.Contains(disable, r.Name) || r.OptIn && !slices.Contains(enable, r.Name)
	})
	return Config{Target: target, Rules: chosen, Severity: severity, SkipTests: !s.Tests, SkipGenerated: !s.Generated}, nil
}

// findRules checks that each name is a rule's.
func findRules(all []*rules.Rule, names []string) ([]string, error) {
	for _, name := range names {
		if !slices.ContainsFunc(all, func(r *rules.Rule) bool { return r.Name == name }) {
			return nil, UnknownRule(name)
		}
	}
	return names, nil
}

// UnknownRule is the error for a rule that does not exist.
func UnknownRule(name string) error {
	if near := server.NearestWord(name, ruleNames()); near != "" {
		return fmt.Errorf("unknown rule %q, did you mean %q?", name, near)
	}
	return fmt.Errorf("unknown rule %q; redislint -rules lists them", name)
}

func ruleNames() []string {
	var names []string
	for _, r := range rules.All() {
		names = append(names, r.Name)
	}
	return names
}

// ParseSeverity reads "note", "warning" or "error".
func ParseSeverity(text string) (rules.Severity, error) {
	for s := rules.Note; s <= rules.ErrorSeverity; s++ {
		if s.String() == text {
			return s, nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q; known are %s", text, strings.Join(severities(), ", "))
}

func severities() []string { return []string{"note", "warning", "error"} }

// FindOption returns the option of that name, or an error that names what is near.
func FindOption(name string) (Option, error) {
	var names []string
	for _, o := range Options() {
		if o.Name == name {
			return o, nil
		}
		names = append(names, o.Name)
	}
	if near := server.NearestWord(name, names); near != "" {
		return Option{}, fmt.Errorf("unknown setting %q, did you mean %q?", name, near)
	}
	return Option{}, fmt.Errorf("unknown setting %q; known are %s", name, strings.Join(names, ", "))
}

// Value is the option as a flag of s.
func (o Option) Value(s *Settings) flag.Value { return settingValue{s, o} }
