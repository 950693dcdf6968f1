/// How many links a merge has made and ended in tables of links, wherever it does so.
final class LinkCount {
    var value = 0
}
