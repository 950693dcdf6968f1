import ODataModel

/// Compares the facets of two declarations of one type, an undeclared facet as its default.
struct FacetComparison {
    let type: PrimitiveType?
    let old: Facets
    let new: Facets

    /// A facet that differs, and whether every old value is still allowed.
    struct Difference {
        var isWider: Bool
        var detail: String
    }

    var differences: [Difference] {
        [maxLength, precision, scale, unicode, srid].compactMap(\.self)
    }

    private var maxLength: Difference? {
        let before = FacetComparison.length(old.maxLength)
        let after = FacetComparison.length(new.maxLength)
        return difference("MaxLength", before: before, after: after, none: "unlimited")
    }

    private static func length(_ facet: Facets.MaxLength?) -> Int? {
        if case .length(let length)? = facet { length } else { nil }
    }

    /// Undeclared means no fractions of seconds for points in time, and any precision for decimals
    /// (OData CSDL XML 4.01 § 7.2.3).
    private var precision: Difference? {
        switch type {
        case .decimal?:
            difference("Precision", before: old.precision, after: new.precision, none: "unlimited")
        case .dateTime?, .dateTimeOffset?, .duration?, .time?, .timeOfDay?:
            difference("Precision", before: old.precision ?? 0, after: new.precision ?? 0, none: "")
        default: nil
        }
    }

    /// Undeclared means 0 (OData CSDL XML 4.01 § 7.2.4).
    private var scale: Difference? {
        guard type == .decimal else { return nil }
        let before = old.scale ?? .digits(0)
        let after = new.scale ?? .digits(0)
        guard before != after else { return nil }
        let isWider: Bool
        switch (before, after) {
        case (.digits(let few), .digits(let many)): isWider = many >= few
        case (_, .variable), (_, .floating): isWider = true
        default: isWider = false
        }
        let detail = "Scale \(word(before)) became \(word(after))"
        if isWider, let lost = lostDigits(before, after) {
            return Difference(isWider: false, detail: detail + ", " + lost)
        }
        return Difference(isWider: isWider, detail: detail)
    }

    /// Says that fewer digits are left before the point: at most Precision less Scale (§ 7.2.4); nil where none are lost.
    private func lostDigits(_ before: Facets.Scale, _ after: Facets.Scale) -> String? {
        func digits(_ facets: Facets, _ scale: Facets.Scale) -> Int? {
            guard case .digits(let places) = scale else { return facets.precision }
            return facets.precision.map { $0 - places }
        }
        guard let few = digits(new, after) else { return nil }
        let many = digits(old, before)
        guard many.map({ $0 > few }) ?? true else { return nil }
        return
            "which leaves \(few) digits before the point instead of \(many.map(String.init) ?? "any number")"
    }

    private func word(_ scale: Facets.Scale) -> String {
        switch scale {
        case .digits(let digits): String(digits)
        case .variable: "variable"
        case .floating: "floating"
        }
    }

    private var unicode: Difference? {
        let before = old.isUnicode ?? true
        let after = new.isUnicode ?? true
        guard type == .string, before != after else { return nil }
        return Difference(isWider: after, detail: "Unicode \(before) became \(after)")
    }

    private var srid: Difference? {
        guard let type, type.isGeo else { return nil }
        let standard = type.rawValue.hasPrefix("Edm.Geography") ? "4326" : "0"
        let before = (old.srid ?? standard).lowercased()
        let after = (new.srid ?? standard).lowercased()
        guard before != after else { return nil }
        return Difference(isWider: after == "variable", detail: "SRID \(before) became \(after)")
    }

    private func difference(_ name: String, before: Int?, after: Int?, none: String)
        -> Difference?
    {
        guard before != after else { return nil }
        let isWider = after.map { after in before.map { $0 <= after } ?? false } ?? true
        let words = [before, after].map { $0.map(String.init) ?? none }
        return Difference(isWider: isWider, detail: "\(name) \(words[0]) became \(words[1])")
    }
}
