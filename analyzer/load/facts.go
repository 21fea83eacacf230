package load

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/objectpath"
)

// facts are a package's, for those that import it. They see its objects through its compiled form, so an object is known by its path; what has
// none is seen by nobody.
type facts struct {
	objects map[objectKey]analysis.Fact
	pkg     map[reflect.Type]analysis.Fact
}

type objectKey struct {
	path objectpath.Path
	kind reflect.Type
}

// exchange gives one pass the facts of the packages that are done, and takes its own.
type exchange struct {
	pkg     *types.Package
	known   map[*types.Package]*node // by the types that importers see
	own     map[types.Object]map[reflect.Type]analysis.Fact
	ownPkg  map[reflect.Type]analysis.Fact
	encoder objectpath.Encoder
}

func newExchange(pkg *types.Package, known map[*types.Package]*node) *exchange {
	return &exchange{pkg: pkg, known: known, own: map[types.Object]map[reflect.Type]analysis.Fact{}, ownPkg: map[reflect.Type]analysis.Fact{}}
}

func (x *exchange) exportObject(obj types.Object, fact analysis.Fact) {
	if x.own[obj] == nil {
		x.own[obj] = map[reflect.Type]analysis.Fact{}
	}
	x.own[obj][reflect.TypeOf(fact)] = fact
}

func (x *exchange) exportPackage(fact analysis.Fact) { x.ownPkg[reflect.TypeOf(fact)] = fact }

func (x *exchange) importObject(obj types.Object, fact analysis.Fact) bool {
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	kind := reflect.TypeOf(fact)
	if obj.Pkg() == x.pkg {
		return copyFact(fact, x.own[obj][kind])
	}
	of := x.known[obj.Pkg()]
	if of == nil || len(of.facts.objects) == 0 {
		return false
	}
	path, err := x.encoder.For(obj)
	return err == nil && copyFact(fact, of.facts.objects[objectKey{path, kind}])
}

func (x *exchange) importPackage(pkg *types.Package, fact analysis.Fact) bool {
	kind := reflect.TypeOf(fact)
	if pkg == x.pkg {
		return copyFact(fact, x.ownPkg[kind])
	}
	of := x.known[pkg]
	return of != nil && copyFact(fact, of.facts.pkg[kind])
}

// copyFact sets what a pass asks for.
func copyFact(to, from analysis.Fact) bool {
	if from == nil {
		return false
	}
	reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem())
	return true
}

// collect gives the facts of the pass by path.
func (x *exchange) collect() facts {
	all := facts{pkg: x.ownPkg}
	for obj, kinds := range x.own {
		path, err := x.encoder.For(obj)
		if err != nil {
			continue
		}
		if all.objects == nil {
			all.objects = map[objectKey]analysis.Fact{}
		}
		for kind, f := range kinds {
			all.objects[objectKey{path, kind}] = f
		}
	}
	return all
}
