package multi

import "fmt"

const accountKey = "acc:%s"

func transferKeys(from, to string) []string {
	return []string{fmt.Sprintf(accountKey, from), fmt.Sprintf(accountKey, to)}
}

type keys struct{ tenant string }

func newKeys(tenant string) keys { return keys{tenant} }

func (k keys) account(id string) string { return fmt.Sprintf("{t:%s}:"+accountKey, k.tenant, id) }
