/// What became of rows that the service has no more.
package struct GoneRows {
    /// How many entities went.
    package var removed = 0
    /// Those that stay, since they are changed here.
    package var conflicted: Set<Int64> = []
}
