/// What a reader says to the rules, such as a policy of its own; a rule knows its own class.
package protocol ReadContext: AnyObject, Sendable {}
