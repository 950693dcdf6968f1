import ODataSQL
import ODataModel
import Testing

@Suite struct QueryReachesTests {
    @Test func findsTheSourcesOfAQueryOnce() {
        let reaches = QueryReaches()
        var found = 0
        for _ in 0..<3 {
            for url in ["Items", "Orders"] {
                let sources = reaches.sources(of: url) {
                    found += 1
                    return [.entitySet(url == "Items" ? 0 : 1)]
                }
                #expect(sources == [.entitySet(url == "Items" ? 0 : 1)])
            }
        }
        #expect(found == 2)
    }
}
