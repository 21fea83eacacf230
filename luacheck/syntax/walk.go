package syntax

// Walk calls visit for n and, where visit returns true, for each child in source order.
func Walk(n Node, visit func(Node) bool) {}
