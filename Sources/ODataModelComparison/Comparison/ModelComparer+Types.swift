import ODataModel

// Entity and complex types, their keys and properties.

extension ModelComparer {
    mutating func compareStructuredTypes() {
        let oldTypes = ModelComparer.byName(old.structuredTypes, name: \.name)
        let newTypes = ModelComparer.byName(new.structuredTypes, name: \.name)
        var guess = RenameGuess()
        for (id, type) in ModelComparer.identified(new) where oldTypes[type.name] == nil {
            note(.added, what: ModelComparer.subject(type), at: type.name, isCompatible: true)
            guess.add(type.name, signature: ModelComparer.shape(id, in: new))
        }
        for (id, type) in ModelComparer.identified(old) {
            if newTypes[type.name] != nil {
                compare(id, oldType: type)
            } else {
                let shape = ModelComparer.shape(id, in: old)
                let detail = guess.detail(for: type.name, signature: shape)
                let subject = ModelComparer.subject(type)
                note(.removed, what: subject, at: type.name, isCompatible: false, detail: detail)
            }
        }
    }

    /// The types that look-ups by name find, with their ids.
    private static func identified(_ model: EdmModel) -> [(StructuredTypeID, StructuredType)] {
        model.structuredTypes.indices.compactMap { index in
            let id = StructuredTypeID(index)
            return model.structuredType(named: model[id].name) == id ? (id, model[id]) : nil
        }
    }

    private static func subject(_ type: StructuredType) -> ModelChange.Subject {
        type.kind == .entity ? .entityType : .complexType
    }

    /// What two types have in common when one is the other renamed: the names of their properties.
    private static func shape(_ id: StructuredTypeID, in model: EdmModel) -> String {
        let type = model[id]
        let names = type.properties.map(\.name) + type.navigationProperties.map(\.name)
        return subject(type).rawValue + " " + names.sorted().joined(separator: " ")
    }

    private mutating func compare(_ oldID: StructuredTypeID, oldType: StructuredType) {
        guard let newID = new.structuredType(named: oldType.name) else { return }
        let newType = new[newID]
        let subject = ModelComparer.subject(oldType)
        if oldType.kind != newType.kind {
            let became = newType.kind == .entity ? "an entity type" : "a complex type"
            return note(
                .changed,
                what: subject,
                at: oldType.name,
                isCompatible: false,
                detail: "it became \(became)"
            )
        }
        compareTraits(oldType, with: newType, subject: subject)
        compareKeys(oldID, with: newID)
        compareProperties(oldID, with: newID)
        compareNavigation(oldID, with: newID)
    }

    private mutating func compareTraits(
        _ oldType: StructuredType,
        with newType: StructuredType,
        subject: ModelChange.Subject
    ) {
        let oldBase = oldType.baseType.map { old[$0].name }
        let newBase = newType.baseType.map { new[$0].name }
        if oldBase != newBase {
            let detail = "base type \(oldBase ?? "(none)") became \(newBase ?? "(none)")"
            note(.changed, what: subject, at: oldType.name, isCompatible: false, detail: detail)
        }
        if oldType.isAbstract != newType.isAbstract {
            let detail = newType.isAbstract ? "it became abstract" : "it is no longer abstract"
            note(
                .changed,
                what: subject,
                at: oldType.name,
                isCompatible: oldType.isAbstract,
                detail: detail
            )
        }
        if oldType.isOpen != newType.isOpen,
            !isInherited(\.isOpen, oldType: oldType, newType: newType)
        {
            let detail = newType.isOpen ? "it became open" : "it is no longer open"
            note(
                .changed,
                what: subject,
                at: oldType.name,
                isCompatible: newType.isOpen,
                detail: detail
            )
        }
        if oldType.hasStream != newType.hasStream,
            !isInherited(\.hasStream, oldType: oldType, newType: newType)
        {
            let detail =
                newType.hasStream ? "it became a media type" : "it is no longer a media type"
            note(
                .changed,
                what: subject,
                at: oldType.name,
                isCompatible: newType.hasStream,
                detail: detail
            )
        }
    }

    /// Whether the base types differ in the same way, so that the change is reported for them.
    private func isInherited(
        _ trait: KeyPath<StructuredType, Bool>,
        oldType: StructuredType,
        newType: StructuredType
    ) -> Bool {
        guard let oldBase = oldType.baseType, let newBase = newType.baseType else { return false }
        return old[oldBase][keyPath: trait] != new[newBase][keyPath: trait]
    }

    private mutating func compareKeys(_ oldID: StructuredTypeID, with newID: StructuredTypeID) {
        // An inherited key is compared where it is declared.
        let oldKey = old[oldID].key
        let newKey = oldKey.isEmpty ? new[newID].key : new.key(of: newID)
        guard oldKey != newKey else { return }
        if oldKey.isEmpty, old.key(of: oldID) == newKey { return }
        let names: ([KeyProperty]) -> String = { key in
            key.isEmpty ? "(none)" : key.map(\.name).joined(separator: ", ")
        }
        let detail = "key \(names(oldKey)) became \(names(newKey))"
        note(.changed, what: .key, at: old[oldID].name, isCompatible: false, detail: detail)
    }
}

// MARK: - Structural properties

extension ModelComparer {
    private mutating func compareProperties(_ oldID: StructuredTypeID, with newID: StructuredTypeID)
    {
        let type = old[oldID].name
        let oldProperties = ModelComparer.byName(old[oldID].properties, name: \.name)
        let newProperties = ModelComparer.byName(new[newID].properties, name: \.name)
        var guess = RenameGuess()
        for property in new[newID].properties where oldProperties[property.name] == nil {
            // What a derived type declares and the base type had before has only moved.
            if old.property(property.name, of: oldID) != nil { continue }
            let signature = new.text(of: property.type)
            guess.add(property.name, signature: signature)
            let needsValue = !property.isNullable && !property.type.isCollection
            let detail =
                needsValue ? "\(signature), null is not allowed: unknown until read" : signature
            let path = type + "/" + property.name
            note(.added, what: .property, at: path, isCompatible: true, detail: detail)
        }
        for property in old[oldID].properties {
            let path = type + "/" + property.name
            if let other = newProperties[property.name] ?? new.property(property.name, of: newID) {
                compare(property, with: other, at: path)
            } else {
                let signature = old.text(of: property.type)
                let detail = guess.detail(for: property.name, signature: signature)
                note(.removed, what: .property, at: path, isCompatible: false, detail: detail)
            }
        }
    }

    private mutating func compare(
        _ oldProperty: StructuralProperty,
        with newProperty: StructuralProperty,
        at path: String
    ) {
        let oldType = old.text(of: oldProperty.type)
        let newType = new.text(of: newProperty.type)
        guard oldType == newType else {
            let detail = "type \(oldType) became \(newType)"
            return note(.changed, what: .property, at: path, isCompatible: false, detail: detail)
        }
        compareNull(oldProperty, with: newProperty, at: path)
        compareFacets(
            FacetComparison(
                type: old.underlyingPrimitive(of: oldProperty.type.type),
                old: oldProperty.type.facets,
                new: newProperty.type.facets
            ),
            subject: .property,
            at: path
        )
        if oldProperty.defaultValue != newProperty.defaultValue {
            let detail = "the default value changed"
            note(.changed, what: .property, at: path, isCompatible: true, detail: detail)
        }
        if oldProperty.isConcurrencyToken != newProperty.isConcurrencyToken {
            let detail =
                newProperty.isConcurrencyToken
                ? "it became part of the ETag" : "it is no longer part of the ETag"
            note(.changed, what: .property, at: path, isCompatible: true, detail: detail)
        }
    }

    mutating func compareFacets(
        _ comparison: FacetComparison,
        subject: ModelChange.Subject,
        at path: String
    ) {
        for difference in comparison.differences {
            note(
                .changed,
                what: subject,
                at: path,
                isCompatible: difference.isWider,
                detail: difference.detail
            )
        }
    }
}

extension ModelComparer {
    /// Compares whether null is a value.
    ///
    /// Where the model says nothing of null among the items of a collection, nothing can be assumed (OData CSDL XML 4.01 § 7.2.1): what
    /// is not said any more takes nothing away. CSDL JSON cannot leave it open, and says that there is none.
    private mutating func compareNull(
        _ oldProperty: StructuralProperty,
        with newProperty: StructuralProperty,
        at path: String
    ) {
        guard oldProperty.isNullable != newProperty.isNullable else { return }
        let detail =
            if !newProperty.isNullableStated {
                "whether items may be null is not said any more"
            } else {
                newProperty.isNullable ? "null became allowed" : "null is no longer allowed"
            }
        note(
            .changed,
            what: .property,
            at: path,
            isCompatible: newProperty.isNullable || !newProperty.isNullableStated,
            detail: detail
        )
    }
}

// MARK: - Navigation properties

extension ModelComparer {
    private mutating func compareNavigation(_ oldID: StructuredTypeID, with newID: StructuredTypeID)
    {
        let type = old[oldID].name
        let oldOwn = ModelComparer.byName(old[oldID].navigationProperties, name: \.name)
        let newOwn = ModelComparer.byName(new[newID].navigationProperties, name: \.name)
        var guess = RenameGuess()
        for property in new[newID].navigationProperties where oldOwn[property.name] == nil {
            if old.navigationProperty(property.name, of: oldID) != nil { continue }
            let signature = ModelComparer.describe(property, in: new)
            guess.add(property.name, signature: signature)
            let path = type + "/" + property.name
            note(.added, what: .navigationProperty, at: path, isCompatible: true, detail: signature)
        }
        for property in old[oldID].navigationProperties {
            let path = type + "/" + property.name
            let inherited = new.navigationProperty(property.name, of: newID).map { new[$0] }
            if let other = newOwn[property.name] ?? inherited {
                compare(property, with: other, at: path)
            } else {
                let signature = ModelComparer.describe(property, in: old)
                let detail = guess.detail(for: property.name, signature: signature)
                note(
                    .removed,
                    what: .navigationProperty,
                    at: path,
                    isCompatible: false,
                    detail: detail
                )
            }
        }
    }

    private mutating func compare(
        _ oldProperty: NavigationProperty,
        with newProperty: NavigationProperty,
        at path: String
    ) {
        let oldType = ModelComparer.describe(oldProperty, in: old)
        let newType = ModelComparer.describe(newProperty, in: new)
        if oldType != newType {
            let detail = "type \(oldType) became \(newType)"
            note(.changed, what: .navigationProperty, at: path, isCompatible: false, detail: detail)
        } else if oldProperty.isNullable != newProperty.isNullable {
            let isWider = newProperty.isNullable
            let detail = isWider ? "null became allowed" : "null is no longer allowed"
            note(
                .changed,
                what: .navigationProperty,
                at: path,
                isCompatible: isWider,
                detail: detail
            )
        }
        if oldProperty.containsTarget != newProperty.containsTarget {
            let detail =
                newProperty.containsTarget
                ? "it now contains its target" : "it no longer contains its target"
            note(.changed, what: .navigationProperty, at: path, isCompatible: false, detail: detail)
        }
        if oldProperty.partner != newProperty.partner {
            let name = newProperty.partner ?? "(none)"
            let detail = "partner \(oldProperty.partner ?? "(none)") became \(name)"
            note(.changed, what: .navigationProperty, at: path, isCompatible: true, detail: detail)
        }
        if oldProperty.referentialConstraints != newProperty.referentialConstraints {
            let detail = "the referential constraint changed"
            note(.changed, what: .navigationProperty, at: path, isCompatible: true, detail: detail)
        }
        if oldProperty.onDelete != newProperty.onDelete {
            let detail = "the action on delete changed"
            note(.changed, what: .navigationProperty, at: path, isCompatible: true, detail: detail)
        }
    }
}
