/// What became of rows that the service has no more.
struct GoneRows {
    /// How many entities went.
    var removed = 0
    /// How many stay, since they are changed here.
    var conflicts = 0
}
