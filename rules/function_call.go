package rules

import (
	"fmt"
	"strings"

	"github.com/redislint/redislint/luacheck"
	"github.com/redislint/redislint/luacheck/value"
)

// FCALL names a function of a library that stands in another text, so the two are joined by name once all texts of a package are known.

// libraryFunction is a function that a library of the package registers.
type libraryFunction struct {
	lib *luacheck.Program
	reg *value.Registered
}

// libraryFunctions are the functions of the package's libraries by name in lower case; without those that two libraries register, as two
// versions of one library do.
func libraryFunctions(p *PackagePass) map[string]libraryFunction {
	funcs := map[string]libraryFunction{}
	for _, prog := range p.Programs {
		if prog.Facts.Library == nil || !prog.Complete {
			continue
		}
		for i := range prog.Facts.Library.Functions {
			r := &prog.Facts.Library.Functions[i]
			name := strings.ToLower(r.Name)
			if _, twice := funcs[name]; twice {
				funcs[name] = libraryFunction{}
				continue
			}
			funcs[name] = libraryFunction{prog, r}
		}
	}
	return funcs
}

// maxJoined bounds the library text that is analysed again for the calls of a package, in bytes: each call analyses the whole of it.
const maxJoined = 2 << 20

// calledWithFew reports the calls of library functions that leave out an element of their keys (FromKeys) or arguments (FromArgv) without
// which the function surely fails.
func calledWithFew(p *PackagePass, list value.OriginKind, part SitePart, what string) {
	funcs := libraryFunctions(p)
	if len(funcs) == 0 {
		return
	}
	left := maxJoined
	for i, prog := range p.Programs {
		for j := range prog.Sites {
			s := &prog.Sites[j]
			if s.Mode != luacheck.ModeFunction && s.Mode != luacheck.ModeFunctionRO || shifted(s) {
				continue
			}
			f := funcs[strings.ToLower(s.Function)]
			if f.reg == nil || f.reg.Callback == nil || f.reg.Form != "" && f.reg.Form != "flags map" {
				continue
			}
			if left -= f.cost(s, list); left < 0 {
				return
			}
			if missed, rank, passed := f.misses(s, list); missed != nil {
				p.Report(i, At(j, part, 0, rank, f.words(missed, list, passed, what)))
			}
		}
	}
}

// used is the highest element that the library names with a number.
func (f *libraryFunction) used(list value.OriginKind) int {
	if list == value.FromKeys {
		return f.lib.Interface.KeysMax
	}
	return f.lib.Interface.ArgsMax
}

// cost is how many bytes misses analyses.
func (f *libraryFunction) cost(s *luacheck.Site, list value.OriginKind) int {
	if passed, known := pickList(s, list).AtMost(); !known || passed >= f.used(list) {
		return 0
	}
	return len(f.lib.Source.Text)
}

// misses looks for a place where the function, run as the call alone runs it, surely fails because of an element that is not passed.
func (f *libraryFunction) misses(s *luacheck.Site, list value.OriginKind) (missed *value.Failure, rank Severity, passed int) {
	one := *s
	passed, known := pickList(&one, list).AtMost()
	if !known || passed >= f.used(list) {
		return nil, 0, 0
	}
	*pickList(&one, list) = padded(*pickList(s, list), passed)
	facts := luacheck.Analyze(f.lib.Source, []luacheck.Site{one}, luacheck.Options{Target: f.lib.Target, SitesComplete: true, Function: f.reg.Name}).Facts
	rank = ErrorSeverity
	if luacheck.ArgumentsDecide(facts) {
		rank = Warning
	}
	for _, x := range facts.Failures {
		if x.MissesElement(list, passed) {
			return x, rank, passed
		}
	}
	return nil, 0, 0
}

// words say what becomes of the element, by the name of the callback's parameter.
func (f *libraryFunction) words(x *value.Failure, list value.OriginKind, passed int, what string) string {
	index, i := x.Value.From.Index, 0
	if list == value.FromArgv {
		i = 1
	}
	name := [...]string{"keys", "args"}[i]
	if params := f.reg.Callback.Params; i < len(params) {
		name = params[i].Text
	}
	return fmt.Sprintf("'%s' of the library uses '%s[%d]', the call passes %s: it is nil there, which %s; pass %s", f.reg.Name, name, index,
		countWords(passed, what), refusedHow(x), countWords(index, what))
}
