import ODataModel

/// Makes a model from a few lines of text, so that a test shows the model it means.
///
///     entity NS.Product open            complex NS.Address            enum NS.Color flags Red=1 Blue=2
///     base NS.Thing                     set Products NS.Product Category=Categories
///     key ID                            singleton Me NS.Person
///     ID Edm.Int32                      function NS.Best(it [NS.Product], n Edm.Int32) bound
///     Price Edm.Decimal 12,2            functionimport Top NS.Top
///     Tags [Edm.String]
///     > Category NS.Category            >> Items NS.Item contained
struct ModelSketch {
    private var model: EdmModel
    private var current: StructuredTypeID?

    static func model(_ text: String, version: ODataVersion = .v4) -> EdmModel {
        var sketch = ModelSketch(model: EdmModel(version: version), current: nil)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        for words in lines where !words.isEmpty { sketch.declare(words) }
        for words in lines where !words.isEmpty { sketch.fill(words) }
        return sketch.model
    }

    private mutating func declare(_ words: [String]) {
        switch words[0] {
        case "entity", "complex":
            var type = StructuredType(
                name: words[1],
                kind: words[0] == "entity" ? .entity : .complex
            )
            type.isOpen = words.contains("open")
            type.hasStream = words.contains("media")
            model.add(type)
            let namespace = words[1].split(separator: ".").dropLast().joined(separator: ".")
            if !model.schemas.contains(where: { $0.namespace == namespace }) {
                model.schemas.append(.init(namespace: namespace, alias: "Self"))
            }
        case "enum":
            var type = EnumType(name: words[1], isFlags: words.contains("flags"))
            for word in words.dropFirst(2) where word.contains("=") {
                let parts = word.split(separator: "=")
                type.members.append(.init(name: String(parts[0]), value: Int64(parts[1]) ?? 0))
            }
            model.add(type)
        default: break
        }
    }

    private mutating func fill(_ words: [String]) {
        switch words[0] {
        case "entity", "complex": current = model.structuredType(named: words[1])
        case "enum": current = nil
        case "set": addSet(words)
        case "singleton":
            guard let type = model.structuredType(named: words[2]) else { return }
            var singleton = Singleton(name: words[1], type: type)
            singleton.navigationBindings = bindings(words.dropFirst(3))
            model.container.singletons.append(singleton)
        case "function", "action": addOperation(words)
        case "functionimport":
            model.container.functionImports.append(
                OperationImport(name: words[1], operation: words[2])
            )
        default: addMember(words)
        }
    }

    private mutating func addSet(_ words: [String]) {
        guard let type = model.structuredType(named: words[2]) else { return }
        var set = EntitySet(name: words[1], type: type)
        set.navigationBindings = bindings(words.dropFirst(3))
        model.container.entitySets.append(set)
    }

    private func bindings(_ words: ArraySlice<String>) -> [NavigationBinding] {
        words.map {
            let parts = $0.split(separator: "=").map(String.init)
            return NavigationBinding(path: parts[0], target: parts[1])
        }
    }

    private mutating func addOperation(_ words: [String]) {
        let kind: Operation.Kind = words[0] == "function" ? .function : .action
        let text = words.dropFirst().joined(separator: " ")
        let parts = text.split(separator: "(", maxSplits: 1)
        var operation = Operation(name: String(parts[0]), kind: kind)
        operation.isBound = words.last == "bound"
        let list = parts[1].split(separator: ")", omittingEmptySubsequences: false)[0]
        for parameter in list.split(separator: ",") {
            let pair = parameter.split(separator: " ").map(String.init)
            operation.parameters.append(.init(name: pair[0], type: reference(pair[1])))
        }
        model.operations.append(operation)
    }

    private mutating func addMember(_ words: [String]) {
        guard let id = current else { return }
        switch words[0] {
        case "base": model[id].baseType = model.structuredType(named: words[1])
        case "key": model[id].key = words.dropFirst().map { KeyProperty(path: $0) }
        case ">", ">>":
            let target = model.structuredType(named: words[2])
            var property = NavigationProperty(name: words[1], targetName: words[2], target: target)
            property.isCollection = words[0] == ">>"
            property.containsTarget = words.contains("contained")
            model[id].navigationProperties.append(property)
        default:
            var type = reference(words[1])
            if words.count > 2 {
                let facets = words[2].split(separator: ",")
                type.facets.precision = Int(facets[0])
                if facets.count > 1 { type.facets.scale = Int(facets[1]).map { .digits($0) } }
            }
            model[id].properties.append(StructuralProperty(name: words[0], type: type))
        }
    }

    private func reference(_ name: String) -> TypeReference {
        let isCollection = name.hasPrefix("[")
        let bare = isCollection ? String(name.dropFirst().dropLast()) : name
        return TypeReference(
            model.type(named: bare) ?? .unresolved(bare),
            isCollection: isCollection
        )
    }
}

extension ModelSketch {
    /// A shop with something of everything.
    static let shop = model(
        """
        enum NS.Color Red=1 Green=2 Blue=4
        enum NS.Rights flags Read=1 Write=2
        complex NS.Address
        City Edm.String
        Zip Edm.String
        > Country NS.Country
        complex NS.PostBox
        base NS.Address
        Box Edm.Int32
        entity NS.Country
        key Code
        Code Edm.String
        Name Edm.String
        entity NS.Category
        key ID
        ID Edm.Int32
        Name Edm.String
        > Parent NS.Category
        >> Products NS.Product
        entity NS.Product
        key ID
        ID Edm.Int32
        Name Edm.String
        Price Edm.Decimal 12,2
        Weight Edm.Decimal
        Rating Edm.Double
        Small Edm.Single
        Stock Edm.Int16
        Big Edm.Int64
        Sold Edm.Boolean
        Code Edm.Guid
        Released Edm.Date
        Opens Edm.TimeOfDay
        Updated Edm.DateTimeOffset
        Lasts Edm.Duration
        Picture Edm.Binary
        Photo Edm.Stream
        Place Edm.GeographyPoint
        Color NS.Color
        Rights NS.Rights
        Tags [Edm.String]
        Address NS.Address
        Stores [NS.Address]
        > Category NS.Category
        >> Items NS.Item
        entity NS.Food media
        base NS.Product
        Best Edm.Date
        > Maker NS.Country
        entity NS.Item
        key OrderID No
        OrderID Edm.Int32
        No Edm.Int32
        Quantity Edm.Int32
        > Order NS.Order
        > Product NS.Product
        entity NS.Order
        key ID
        ID Edm.String
        Customer Edm.String
        >> Items NS.Item
        >> Notes NS.Note contained
        entity NS.Note open
        key Number
        Number Edm.Int32
        Text Edm.String
        entity NS.Event
        key At
        At Edm.DateTimeOffset
        set Categories NS.Category Parent=Categories Products=Products
        set Products NS.Product Category=Categories Items=Items NS.Food/Maker=Countries
        set Items NS.Item Order=Orders Product=Products
        set Orders NS.Order Items=Items
        set Countries NS.Country
        set Events NS.Event
        singleton Best NS.Product Category=Categories
        function NS.Cheapest(it [NS.Product],below Edm.Decimal) bound
        function NS.Top(count Edm.Int32)
        action NS.Reset(it NS.Product) bound
        functionimport Top NS.Top
        """
    )
}
