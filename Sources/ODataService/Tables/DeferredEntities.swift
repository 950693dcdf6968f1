import ODataBinding
import ODataSQL
import ODataAnswers
import ODataTables

/// The entities of an import that refer to others which are not there yet: behind them in a file, or in a later one.
///
/// They are created once all the others are, the last to come first: files are mostly ordered by key, and what refers forwards in one
/// direction refers backwards in the other. What is left then stands in circles, whose links are made when all entities are there.
struct DeferredEntities {
    /// An entity that waits.
    private struct Entity {
        var body: EntityBody
        var path: EntityPath
        /// The file that it comes from, and its place among the entities of that file.
        var place: Place
    }

    /// A link that waits for the entity that it leads to.
    private struct Link {
        var owner: RowReference
        var binding: EntityBody.Binding
        var place: Place
    }

    /// Where an entity stands.
    struct Place: Equatable {
        var file: Int
        var index: Int
    }

    /// Why one of them cannot be created.
    struct Fault: Error {
        var place: Place
        var error: any Error
    }

    private let writing: TableWriting
    private var entities: [Entity] = []

    init(_ writing: TableWriting) {
        self.writing = writing
    }

    /// Takes an entity where it refers to one that is not there yet; answers whether it did.
    mutating func take(_ body: EntityBody, at path: EntityPath, place: Place) throws -> Bool {
        guard try !isComplete(body) else { return false }
        entities.append(Entity(body: body, path: path, place: place))
        return true
    }

    /// Creates all of them, and answers how many there are.
    ///
    /// - Throws: ``Fault`` where an entity cannot be created; `SQLiteError` where the tables cannot be read.
    func create() throws -> Int {
        var left: [Entity] = []
        for entity in entities.reversed() {
            if try isComplete(entity.body) { try create(entity) } else { left.append(entity) }
        }
        var links: [Link] = []
        for var entity in left.reversed() {
            let waiting = try cutLinks(of: &entity.body)
            let owner = try create(entity)
            links += waiting.map { Link(owner: owner, binding: $0, place: entity.place) }
        }
        for link in links { try make(link) }
        return entities.count
    }

    @discardableResult
    private func create(_ entity: Entity) throws -> RowReference {
        do {
            return try writing.create(entity.body, at: entity.path)
        } catch {
            throw Fault(place: entity.place, error: error)
        }
    }

    private func make(_ link: Link) throws {
        do {
            try writing.relate(
                link.owner,
                navigation: link.binding.navigation,
                to: link.binding.reference
            )
        } catch {
            throw Fault(place: link.place, error: error)
        }
    }

    // MARK: References

    /// - Throws: `SQLiteError` if the tables cannot be read, which is no missing entity.
    private func isThere(_ reference: String) throws -> Bool {
        do {
            _ = try writing.row(of: reference)
            return true
        } catch is EditError {
            return false
        }
    }

    /// Whether all entities that a body refers to are there, those inside of it included.
    private func isComplete(_ body: EntityBody) throws -> Bool {
        guard !body.bindings.isEmpty || !body.inline.isEmpty else { return true }
        return try body.bindings.allSatisfy { try isThere($0.reference) }
            && body.inline.allSatisfy { try $0.entities.allSatisfy(isComplete) }
    }

    /// Takes the references out of a body that lead to nothing yet; those of entities inside of it stay.
    private func cutLinks(of body: inout EntityBody) throws -> [EntityBody.Binding] {
        let waiting = try body.bindings.filter { try !isThere($0.reference) }
        try body.bindings.removeAll { try !isThere($0.reference) }
        for index in body.inline.indices {
            try body.inline[index].references.removeAll { try !isThere($0) }
        }
        body.inline.removeAll { inline in
            inline.isEmpty && waiting.contains { $0.navigation == inline.navigation }
        }
        return waiting
    }
}
