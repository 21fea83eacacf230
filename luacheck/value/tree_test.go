package value

import (
	"math/rand"
	"testing"
)

// TestTree compares the tree with a map over random changes, copies and merges.
func TestTree(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	type pair struct {
		tree tree[int]
		want map[int]int
	}
	all := []*pair{{want: map[int]int{}}}
	check := func(p *pair) {
		t.Helper()
		for k := range 600 {
			got := p.tree.get(k)
			want, ok := p.want[k]
			if (got != nil) != ok || ok && *got != want {
				t.Fatalf("key %d: got %v, want %v %v", k, got, want, ok)
			}
		}
	}
	for range 4000 {
		p := all[rng.Intn(len(all))]
		k := rng.Intn(600)
		switch rng.Intn(8) {
		case 0:
			p.tree.del(k)
			delete(p.want, k)
		case 1:
			if len(all) < 12 {
				c := &pair{tree: forkTree(&p.tree), want: map[int]int{}}
				for k, v := range p.want {
					c.want[k] = v
				}
				all = append(all, c)
			}
		case 2:
			// A merge keeps the larger value of two, and drops what one side lacks.
			q := all[rng.Intn(len(all))]
			changed := p.tree.merge(forkTree(&q.tree), func(x, y *int) (*int, bool) {
				switch {
				case x == nil || y == nil:
					return nil, x != nil
				case *y > *x:
					return y, true
				}
				return x, false
			})
			was := len(p.want)
			grew := false
			for k, v := range p.want {
				w, ok := q.want[k]
				switch {
				case !ok:
					delete(p.want, k)
				case w > v:
					p.want[k], grew = w, true
				}
			}
			if want := grew || len(p.want) != was; changed != want {
				t.Fatalf("merge reports %v, want %v", changed, want)
			}
		default:
			v := rng.Intn(1000)
			p.tree.set(k, &v)
			p.want[k] = v
		}
		check(p)
	}
	for _, p := range all {
		check(p)
	}
}

// TestTreeCopies: a change of one copy does not show in the other.
func TestTreeCopies(t *testing.T) {
	one, two := 1, 2
	var a tree[int]
	a.set(5, &one)
	b := forkTree(&a)
	b.set(5, &two)
	a.set(300, &one)
	if *a.get(5) != 1 || *b.get(5) != 2 || b.get(300) != nil {
		t.Errorf("got %d, %d, %v", *a.get(5), *b.get(5), b.get(300))
	}
}

// forkTree copies a tree as states are copied: from here on each of the two has a number of its own.
func forkTree[V any](t *tree[V]) tree[V] {
	c := *t
	owners += 2
	t.owned(owners - 1)
	c.owned(owners)
	return c
}

var owners uint32
