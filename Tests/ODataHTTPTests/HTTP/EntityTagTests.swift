import ODataHTTP
import Testing

@Suite struct EntityTagTests {
    @Test(arguments: [
        "\"1\"", "W/\"1\"", "W/\"\"", "W/\"datetime'2010-01-01T00:00:00'\"", "\"\u{E4} b\\\"",
    ])
    func writesWhatItRead(text: String) {
        #expect(EntityTag(text)?.description == text)
    }

    @Test(arguments: [
        "", "1", "\"1", "1\"", "w/\"1\"", "W\"1\"", "\"1\"2", "\"a\"b\"", "*", "\"\u{1}\"",
    ])
    func refusesWhatIsNone(text: String) {
        #expect(EntityTag(text) == nil)
    }

    /// The table of RFC 9110 § 8.8.3.2.
    @Test(arguments: [
        ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
        ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "\"1\"", true, true),
    ])
    func compares(left: String, right: String, strong: Bool, weak: Bool) throws {
        let left = try #require(EntityTag(left))
        let right = try #require(EntityTag(right))
        #expect(left.stronglyMatches(right) == strong)
        #expect(left.weaklyMatches(right) == weak)
    }

    @Test func comparesBytes() {
        #expect(
            !EntityTag("\u{E9}", isWeak: true).weaklyMatches(EntityTag("e\u{301}", isWeak: true))
        )
    }

    @Test(arguments: [
        ("\"a\"", "\"a\"", true), ("W/\"a\"", "\"a\"", true), ("\"a\"", "\"b\"", false),
        ("a", "a", true), ("a", "\"a\"", false), ("", "", true), (nil, nil, false),
        ("\"a\"", nil, false),
    ])
    func saysWhetherTwoFieldsMeanOneVersion(_ one: String?, _ other: String?, _ isSame: Bool) {
        #expect(EntityTag.areSame(one, other) == isSame)
        #expect(EntityTag.areSame(other, one) == isSame)
    }

    @Test func readsLists() throws {
        let list = try #require(EntityTagList("\"a,b\", W/\"c\",,\"d\""))
        #expect(
            list
                == .tags([
                    EntityTag("a,b", isWeak: false), EntityTag("c", isWeak: true),
                    EntityTag("d", isWeak: false),
                ])
        )
        #expect(list.weaklyContains(EntityTag("c", isWeak: false)))
        #expect(!list.stronglyContains(EntityTag("c", isWeak: true)))
        #expect(list.stronglyContains(EntityTag("d", isWeak: false)))
        #expect(!list.weaklyContains(nil))
    }

    @Test func starMeansWhateverThereIs() throws {
        let list = try #require(EntityTagList(" * "))
        #expect(list.weaklyContains(EntityTag("x", isWeak: true)))
        #expect(!list.weaklyContains(nil))
    }

    @Test(arguments: ["", ",", "a", "*, \"a\"", "\"a\" \"b\"", "\"a\", b", "**"])
    func refusesWhatIsNoList(text: String) {
        #expect(EntityTagList(text) == nil)
    }
}
