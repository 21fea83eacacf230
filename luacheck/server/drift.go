package server

// CommandRow is what a server's COMMAND reply can be compared with.
type CommandRow struct {
	Name  string // as Command.Name
	Arity int
	Flags Flag // without MayReplicate, which COMMAND does not show from 7.0 on
	Keys  []KeySpec
}

// Slice lists the commands and subcommands of a build as its dump shows them, by name: what a test compares with a live server.
func Slice(b Build) []CommandRow {
	t := Target{Builds: []Build{b}}
	var out []CommandRow
	for i := range rows {
		if i > 0 && rows[i].Name == rows[i-1].Name {
			continue
		}
		if c := t.CommandAt(b, rows[i].Name); c != nil {
			out = append(out, CommandRow{c.Name, c.Arity, c.Flags &^ MayReplicate, c.Keys})
		}
	}
	return out
}

// FlagOf is the flag of a word of COMMAND's reply, 0 for those that are not kept.
func FlagOf(word string) Flag {
	switch word {
	case "write":
		return Write
	case "readonly":
		return ReadOnly
	case "denyoom":
		return DenyOOM
	case "admin":
		return Admin
	case "noscript":
		return NoScript
	case "blocking":
		return Blocking
	case "movablekeys":
		return MovableKeys
	case "fast":
		return Fast
	case "stale":
		return Stale
	}
	return 0
}
