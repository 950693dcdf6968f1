/// What became of rows that the service has no more.
package struct GoneRows {
    /// How many entities went.
    package var removed = 0
    /// How many stay, since they are changed here.
    package var conflicts = 0
}
