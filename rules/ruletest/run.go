package ruletest

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/redislint/redislint/rules"
)

// Outcome is what a server did with an example.
type Outcome struct {
	Reply string   // to the script, in Notation
	After []string // to each State command
	Slots []string // of each key of Slots, in key order
}

// Run runs an example on a server that holds nothing else.
func (s *Server) Run(e *rules.Example) (Outcome, error) {
	src, _, _, err := e.Marked()
	if err != nil {
		return Outcome{}, err
	}
	if err := s.clear(); err != nil {
		return Outcome{}, err
	}
	for _, words := range e.Setup {
		if reply := s.routed(words); strings.HasPrefix(reply, "-") || strings.HasPrefix(reply, "no answer") {
			return Outcome{}, fmt.Errorf("set-up %s: %s", strings.Join(words, " "), reply)
		}
	}
	var o Outcome
	if o.Reply = s.script(src.Text, e); strings.HasPrefix(o.Reply, "no answer") {
		return o, s.unblock()
	}
	for _, st := range e.State {
		o.After = append(o.After, s.routed(st.Command))
	}
	for _, key := range slotKeys(e) {
		o.Slots = append(o.Slots, s.Do("CLUSTER", "KEYSLOT", key))
	}
	return o, nil
}

// script runs the example's text and returns the reply: of FUNCTION LOAD where that fails or nothing is called.
func (s *Server) script(text string, e *rules.Example) string {
	run := []string{"EVAL", text}
	if e.Library {
		run = []string{"FCALL", e.Function}
		for i := range s.nodes {
			if reply := s.On(i, "FUNCTION", "LOAD", text); strings.HasPrefix(reply, "-") || e.Function == "" {
				return reply
			}
		}
	}
	if e.ReadOnly {
		run[0] += "_RO"
	}
	run = append(run, strconv.Itoa(len(e.Keys)))
	return s.routed(append(append(run, e.Keys...), e.Args...))
}

// routed sends a command to the node that takes it: the first, or the one that its MOVED names.
func (s *Server) routed(words []string) string {
	reply := s.On(0, words...)
	for i := range s.nodes {
		if strings.HasPrefix(reply, "-MOVED ") && strings.HasSuffix(reply, " "+s.nodes[i].addr) {
			return s.On(i, words...)
		}
	}
	return reply
}

// clear removes data, scripts and libraries; SCRIPT FLUSH also starts a new Lua state.
func (s *Server) clear() error {
	if s.Name == Miniredis {
		return nil // each example has its own
	}
	for i := range s.nodes {
		for _, words := range [][]string{{"FLUSHALL"}, {"SCRIPT", "FLUSH"}, {"FUNCTION", "FLUSH"}} {
			if reply := s.On(i, words...); reply != "+OK" {
				return fmt.Errorf("%s: %s", strings.Join(words, " "), reply)
			}
		}
	}
	return nil
}

// unblock ends a script that does not end by itself.
func (s *Server) unblock() error {
	if s.Name == Miniredis {
		return nil
	}
	for i := range s.nodes {
		s.On(i, "SCRIPT", "KILL")
		s.On(i, "FUNCTION", "KILL")
		reply := ""
		for range 20 {
			if reply = s.On(i, "PING"); reply == "+PONG" {
				break
			}
			time.Sleep(50 * time.Millisecond) // the script sees the order at its next step
		}
		if reply != "+PONG" {
			return fmt.Errorf("a script hangs in %s and cannot be ended: %s", s.Name, reply)
		}
	}
	return nil
}

func slotKeys(e *rules.Example) []string {
	var keys []string
	for k := range e.Slots {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
