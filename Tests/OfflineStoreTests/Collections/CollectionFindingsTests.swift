@testable import StoreRecords
import Testing

/// What a connection keeps of the records of stored collections.
@Suite struct CollectionFindingsTests {
    private func collection(_ name: String) -> StoredCollection {
        StoredCollection(name: name, url: name, slot: 70)
    }

    @Test func readsARecordOnceAndAnAbsentOneToo() {
        let findings = CollectionFindings()
        var reads = 0
        for name in ["A", "B", "A", "B"] {
            let found = findings.collection(name) {
                reads += 1
                return name == "A" ? collection(name) : nil
            }
            #expect(found?.name == (name == "A" ? "A" : nil))
        }
        for _ in 0..<2 {
            #expect(
                findings.collection(70) {
                    reads += 1; return collection("A")
                }?.name == "A"
            )
        }
        #expect(reads == 3)
    }

    /// Texts that Swift holds equal are two resources.
    @Test func tellsNamesApartByTheirBytes() {
        let findings = CollectionFindings()
        let (composed, apart) = ("Items?$search=\u{E9}", "Items?$search=e\u{301}")
        #expect(composed == apart)
        _ = findings.collection(composed) { collection(composed) }
        #expect(findings.collection(apart) { nil } == nil)
    }

    @Test func keepsABoundedNumber() {
        let findings = CollectionFindings()
        for number in 0..<CollectionFindings.maximumCount * 3 {
            _ = findings.collection("\(number)") { nil }
            _ = findings.collection(Int64(number)) { collection("\(number)") }
            #expect(findings.count <= CollectionFindings.maximumCount)
        }
        let long = String(repeating: "a", count: CollectionFindings.maximumLength + 1)
        #expect(findings.collection(long) { collection(long) } != nil)
        #expect(findings.collection(long) { nil } == nil)
    }
}
