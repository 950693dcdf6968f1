public import ODataURL
public import ODataModel

/// A query made in Swift; it binds to the same tree as a URL.
///
///     ODataQuery("Products")
///         .filter(.property("Price") > 100 && .any("Items") { $0.property("Quantity") > 1 })
///         .orderBy(.property("Name"))
///         .expand("Category") { $0.select("Name") }
///         .top(20)
public struct ODataQuery: Sendable {
    /// The resource path as in a URL.
    let path: String
    private(set) var options = WrittenOptions()

    /// Creates a query of what a path addresses: `Products`, `Orders(5)/Items`.
    public init(_ path: String) {
        self.path = path
    }

    /// Binds the query to a model.
    ///
    /// - Throws: ``ODataURLError``; its offset counts in the resource path where the path is wrong, and is 0 elsewhere.
    public func bound(in model: EdmModel, version: ODataVersion = .v401) throws(ODataURLError)
        -> BoundRequest
    {
        var written = try WrittenRequest(parsing: path, version: version)
        written.options = options
        return try BoundRequest(written, in: model)
    }

    // MARK: Options

    /// Returns the query with a condition, besides those it has.
    public func filter(_ condition: QueryExpression) -> Self {
        changed {
            let old = $0.filter.map { QueryExpression($0.node) }
            $0.filter = (old.map { $0 && condition } ?? condition).written
            $0.note(.filter)
        }
    }

    /// Returns the query with one more order, less significant than those it has.
    public func orderBy(_ expression: QueryExpression, descending: Bool = false) -> Self {
        changed {
            $0.orderBy.append(
                WrittenOrderItem(expression: expression.written, isDescending: descending)
            )
            $0.note(.orderby)
        }
    }

    /// Returns the query with one more order, by a property or a path of names between slashes.
    public func orderBy(_ path: String, descending: Bool = false) -> Self {
        orderBy(.property(path), descending: descending)
    }

    /// Returns the query for so many entities at most.
    public func top(_ count: Int) -> Self {
        changed {
            $0.top = count
            $0.note(.top)
        }
    }

    /// Returns the query without so many entities at the beginning.
    public func skip(_ count: Int) -> Self {
        changed {
            $0.skip = count
            $0.note(.skip)
        }
    }

    /// Returns the query that also asks for the number of all matches.
    public func count() -> Self {
        changed {
            $0.count = true
            $0.note(.count)
        }
    }

    /// Returns the query with a free-text search.
    public func search(_ search: SearchExpression) -> Self {
        changed {
            $0.search = search
            $0.note(.search)
        }
    }

    /// Returns the query for these properties, besides those it asks for by name.
    public func select(_ paths: String...) -> Self { select(paths) }

    /// Returns the query for these properties, besides those it asks for by name.
    public func select(_ paths: [String]) -> Self {
        changed {
            let items = paths.map { WrittenSelectItem(path: Self.names($0)) }
            $0.select = ($0.select ?? []) + items
            $0.note(.select)
        }
    }

    /// Returns the query with a value computed for each entity.
    public func compute(_ name: String, _ expression: QueryExpression) -> Self {
        changed {
            let item = WrittenComputeItem(expression: expression.written, name: name, offset: 0)
            $0.compute.append(item)
            $0.note(.compute)
        }
    }

    /// Returns the query with transformations of its rows, behind those it has; the other options see what comes out of them.
    public func apply(_ transformations: QueryTransformation...) -> Self {
        changed {
            $0.apply += transformations.map(\.written)
            $0.note(.apply)
        }
    }

    /// Returns the query with the entities of a navigation property inline; the closure says what of them is asked for.
    public func expand(_ path: String, _ nested: (Self) -> Self = { $0 }) -> Self {
        changed {
            let inner = nested(ODataQuery("")).options
            $0.expand.append(
                WrittenExpandItem(path: Self.names(path), suffix: .none, options: inner)
            )
            $0.note(.expand)
        }
    }

    private func changed(_ change: (inout WrittenOptions) -> Void) -> Self {
        var copy = self
        change(&copy.options)
        return copy
    }

    static func names(_ path: String) -> [WrittenPathName] {
        path.split(separator: "/", omittingEmptySubsequences: false).map {
            WrittenPathName(name: String($0), offset: 0)
        }
    }
}

extension WrittenOptions {
    /// Remembers that the query has an option.
    fileprivate mutating func note(_ option: SystemQueryOption) {
        guard place(of: option) == nil else { return }
        places.append((option, 0))
    }
}
