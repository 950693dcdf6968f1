import TestSupport

/// One life: a service with some traits, a store, and what happens to them.
struct LegalLife: Sendable {
    /// What happens in one step; which entity it meets is decided by the step's own numbers.
    struct Step: Sendable {
        enum Kind: String, CaseIterable, Sendable {
            case createCustomer, createOrder, createDeep, createTag, createItem, createPhoto
            case update, updateTyped, replace, delete
            case link, unlink, move, setStream
            case transaction
            case upload, uploadFaulty, download, downloadFaulty
            case restart
            case decide, undo
            case strangerCreate, strangerUpdate, strangerDelete, strangerLink, strangerMove
            case strangerStream, strangerFilter, strangerSelf
        }

        var kind: Kind
        var seed: UInt64
    }

    let seed: UInt64
    var traits: [LegalTrait]
    /// What the life is mostly about.
    let theme: LegalTheme
    /// Which defining queries the store has.
    var plan: Int
    var steps: [Step]
    /// Whether the store merges waiting requests, vouches for repeatability, sends batches in JSON.
    var optimizes: Bool
    var repeatable: Bool
    var json: Bool
    var batchSize: Int
    /// How often the first load is cut before it comes to its end.
    var cutCount: Int

    /// The life of a seed; the shorter, the smaller the seed.
    init(seed: UInt64) {
        self.seed = seed
        var generator = SeededGenerator(seed: seed &* 7919 &+ 13)
        theme = LegalTheme.allCases.randomElement(using: &generator) ?? .everything
        traits = Self.traits(theme, &generator)
        plan = Int.random(in: 0..<3, using: &generator)
        optimizes = Int.random(in: 0..<4, using: &generator) == 0
        repeatable = traits.contains(.repeatable) && Bool.random(using: &generator)
        json = Int.random(in: 0..<5, using: &generator) == 0
        batchSize = [100, 100, 3, 1].randomElement(using: &generator) ?? 100
        let all = theme.weights.flatMap { Array(repeating: $0.0, count: $0.1) }
        let count = 6 + Int.random(in: 0..<24, using: &generator)
        steps = (0..<count).map { _ in
            Step(kind: all.randomElement(using: &generator) ?? .upload, seed: generator.next())
        }
        cutCount = max(0, Int.random(in: -2...3, using: &generator))
    }

    /// Some traits, first those that the theme wants, of one family one at most.
    private static func traits(_ theme: LegalTheme, _ generator: inout SeededGenerator)
        -> [LegalTrait]
    {
        let count = Int.random(in: 0...32, using: &generator)
        let wanted = theme.traits.filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
        let others = LegalTrait.all.shuffled(using: &generator).prefix(count)
            .filter { !wanted.contains($0) }
        var families: Set<String> = []
        return (wanted.shuffled(using: &generator) + others).filter { trait in
            guard let family = trait.family else { return true }
            return families.insert(family).inserted
        }.sorted { $0.name < $1.name }
    }

    var text: String {
        "seed \(seed), \(theme), plan \(plan)\(optimizes ? ", merging" : "")\(repeatable ? ", repeatable" : "")\(json ? ", JSON" : ""), batches of \(batchSize), \(cutCount) cuts, traits: \(traits.map(\.name).joined(separator: " ")); steps: \(steps.map(\.kind.rawValue).joined(separator: " "))"
    }

    /// The defining queries of each plan.
    static let plans: [[(name: String, query: String, streams: Bool)]] = [
        [
            ("Customers", "Customers?$expand=Orders,Tags", false),
            ("Orders", "Orders?$expand=Items", false), ("Tags", "Tags", false),
            ("Photos", "Photos", true), ("Me", "Me", false),
        ],
        [
            ("Customers", "Customers", true), ("Orders", "Orders?$filter=Open eq true", false),
            ("Tags", "Tags?$expand=Customers", false), ("Me", "Me", false),
        ],
        [
            ("Customers", "Customers?$select=ID,Name,Note&$expand=Tags", false),
            ("Orders", "Orders?$expand=Customer,Items", false), ("Tags", "Tags", false),
            ("Photos", "Photos", false),
        ],
    ]
}
