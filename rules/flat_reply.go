package rules

import "github.com/redislint/redislint/luacheck/value"

// checkFlatReply reports a read of what no such reply has: a named field of a list, an element before the first, a part of a text.
func checkFlatReply(p *Pass, a *value.Access) {
	o := a.X.From
	if a.Write || !a.Key.Const || a.X.IsUnknown() || o == nil || o.Kind != value.FromReply || o.Call == nil || o.Call.Resp3 != value.No {
		return
	}
	what, label := snippet(p, a.Node.Bounds()), o.Call.Label()
	switch {
	case a.X.Only(value.Table) && a.X.Reply != nil && a.Key.Kinds == value.String && nothing(a.Value) && !replyField(a.Key.Text):
		msg := what + " is nil: the reply of " + label + " is a list, which has no field '" + a.Key.Text + "'"
		switch {
		case o.Call.Name == "hgetall":
			msg += ", but fields and values in turn; read the field with HGET, or make a table of the list first"
		case a.X.Reply.FieldValue:
			msg += ", but fields and values in turn; make a table of the list first"
		default:
			msg += "; its elements are [1], [2] ..."
		}
		report(p, a, o, msg)
	case a.X.Only(value.Table) && a.X.Reply != nil && a.Key.Kinds == value.Number && a.Key.Num < 1:
		report(p, a, o, what+" is nil: the reply of "+label+" starts at [1]")
	case a.X.Kinds&^(value.String|value.Falsy) != 0 || a.X.Kinds&value.String == 0 || o.Call.Result.Kinds&value.Error != 0:
	case a.Key.Kinds == value.Number && o.Path != "":
		report(p, a, o, what+" is nil: "+snippet(p, a.Node.X.Bounds())+" is a text, since the reply of "+label+" is one flat list; count its elements in steps")
	case a.Key.Kinds == value.Number:
		report(p, a, o, what+" is nil: "+snippet(p, a.Node.X.Bounds())+" is a text, the reply of "+label+", and a text has no elements; write string.sub")
	case a.Key.Kinds == value.String && !stringFunction(a.Key.Text):
		report(p, a, o, what+" is nil: "+snippet(p, a.Node.X.Bounds())+" is a text, of the reply of "+label+", which has no field '"+a.Key.Text+"'; decode it first")
	}
}

// filledIn reports whether the script assigns elements of the reply, under whatever name.
func filledIn(p *Pass, c *value.Call) bool {
	for _, a := range p.Facts.Accesses {
		if !a.Write || a.X.Obj != nil {
			continue
		}
		of := a.X.From == nil
		a.X.From.Leaves(func(o *value.Origin) {
			of = of || o.Kind == value.FromUnknown || o.Call != nil && o.Call.Node == c.Node
		})
		if of {
			return true
		}
	}
	return false
}

// report says it, unless the script fills the reply in: that is asked last, since it goes through all accesses.
func report(p *Pass, a *value.Access, o *value.Origin, msg string) {
	if filledIn(p, o.Call) {
		return
	}
	f := In(a.Node.Bounds(), Warning, msg)
	f.Related = source(o, a.Node.Bounds())
	p.Report(f)
}

func nothing(v *value.Value) bool { return v.Const && v.Only(value.Nil) }

// replyField: the fields of errors, status replies and the tables of RESP3, for which scripts ask before they know what they have.
func replyField(name string) bool {
	switch name {
	case "err", "ok", "map", "set", "double", "big_number", "verbatim_string", "n":
		return true
	}
	return false
}

// stringFunction: what a method call on a text finds.
func stringFunction(name string) bool {
	switch name {
	case "byte", "char", "dump", "find", "format", "gfind", "gmatch", "gsub", "len", "lower", "match", "rep", "reverse", "sub", "upper":
		return true
	}
	return replyField(name)
}
