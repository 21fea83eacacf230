package gclplugin

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/redislint/redislint/analyzer"
)

func init() { register.Plugin("redislint", New) }

// plugin holds the checked settings.
type plugin struct{ config analyzer.Config }

// New makes the plugin from its settings in .golangci.yml. Unknown keys, rules and targets are errors.
func New(raw any) (register.LinterPlugin, error) {
	settings, err := decode(raw)
	if err != nil {
		return nil, err
	}
	config, err := settings.Config()
	if err != nil {
		return nil, err
	}
	config.GoLinesOnly = true
	config.ReportFailed = true
	return plugin{config}, nil
}

// GetLoadMode asks for types: the client libraries are told by them.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

// BuildAnalyzers returns redislint, and an analyzer that does nothing: golangci-lint keeps results by the names of analyzers and the text of
// .go files, so a name that holds a mark of the .lua files makes it look again when one of those changes.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	mark := &analysis.Analyzer{
		Name: "redislint_" + luaMark("."),
		Doc:  "does nothing; its name is a mark of the embedded files",
		Run:  func(*analysis.Pass) (any, error) { return nil, nil },
	}
	return []*analysis.Analyzer{analyzer.New(p.config), mark}, nil
}

// luaMark is a hash of the .lua files below a folder. What cannot be read does not count: it cannot be embedded either.
func luaMark(dir string) string {
	sum := sha256.New()
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case entry.IsDir() && path != dir && (entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case !entry.Type().IsRegular() || filepath.Ext(path) != ".lua":
			return nil
		}
		if text, err := os.ReadFile(path); err == nil {
			fmt.Fprintf(sum, "%q %d\n%s\n", filepath.ToSlash(path), len(text), text)
		}
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// decode reads the settings, which have the names and the values of the flags; a list may be a YAML list. What is not set keeps its default.
func decode(raw any) (analyzer.Settings, error) {
	s := analyzer.DefaultSettings()
	given, err := register.DecodeSettings[map[string]any](raw)
	if err != nil {
		return s, fmt.Errorf("redislint: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		option, err := analyzer.FindOption(name)
		if err != nil {
			return s, fmt.Errorf("redislint: %w", err)
		}
		if err := option.Value(&s).Set(text(given[name])); err != nil {
			return s, fmt.Errorf("redislint: %s: %w", name, err)
		}
	}
	return s, nil
}

// text spells a YAML value as a flag has it.
func text(value any) string {
	list, ok := value.([]any)
	if !ok {
		return fmt.Sprint(value)
	}
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ",")
}
