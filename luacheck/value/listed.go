package value

// listed adds the lists of the script that a value is or holds in its fields.
func listed(list []Listed, st *state, v *Value, field string, deep int) []Listed {
	if v.Obj == nil || deep > maxShape {
		return list
	}
	o := st.objs.get(v.Obj.ID)
	switch {
	case o == nil || o.lost || o.many || o.open:
		return list
	case len(o.fields) == 0:
		return append(list, Listed{At: v.Obj.At, Field: field, Empty: o.atLeast() == 0, Filled: o.grows != nil && data(o.grows.From)})
	}
	for _, name := range o.fieldNames() {
		list = listed(list, st, o.fields[name], name, deep+1)
	}
	return list
}

// data reports whether a value came from a server or out of a text: there may be none of it.
func data(o *Origin) bool {
	return o != nil && (o.Kind == FromReply || o.Kind == FromDecoded)
}

// joinListed keeps the lists of two paths; one that is empty on either may be empty.
func joinListed(a, b []Listed) []Listed {
next:
	for _, l := range b {
		for i := range a {
			if a[i].At == l.At && a[i].Field == l.Field {
				a[i].Empty, a[i].Filled = a[i].Empty || l.Empty, a[i].Filled || l.Filled
				continue next
			}
		}
		a = append(a, l)
	}
	return a
}
