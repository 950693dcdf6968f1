import Testing

/// The catalogue itself.
@Suite struct LegalTraitTests {
    @Test func namesAtLeastEightyTraits() {
        #expect(LegalTrait.all.count >= 80)
        #expect(Set(LegalTrait.all.map(\.name)).count == LegalTrait.all.count)
        #expect(LegalTrait.all.allSatisfy { !$0.source.isEmpty && !$0.effect.isEmpty })
    }

    /// A trait that changes no answer would be a name only.
    @Test(arguments: LegalTrait.all)
    func changesAnAnswer(_ trait: LegalTrait) {
        // What pages are like is seen where there are pages, what deltas are like where a read ends at once.
        let companies: [Set<LegalTrait>] = trait.family == "page" ? [[]] : [[], [.pagesOfTwo]]
        let isSeen = companies.contains { company in
            let without = LegalConversation(company).transcript
            #expect(LegalConversation(company).transcript == without)
            return LegalConversation(company.union([trait])).transcript != without
        }
        #expect(isSeen)
    }
}

extension LegalTrait: CustomTestStringConvertible {
    var testDescription: String { name }
}
