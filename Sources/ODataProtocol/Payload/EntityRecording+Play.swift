import ODataModel

extension EntityRecording {
    /// Tells a sink everything in the order in which it came.
    package func play(into sink: inout some EntitySink) throws {
        var places = Places()
        while places.word < words.count {
            try playNext(&places, &sink)
        }
    }

    /// How far the playing has come in each list.
    private struct Places {
        var word = 0
        var byte = 0
        var control = 0
        var navigation = 0
        var nextLink = 0
        var link = 0
    }

    private func playNext(_ places: inout Places, _ sink: inout some EntitySink) throws {
        let word = words[places.word]
        places.word += 1
        let number = Int(word >> 8 & 0xFF_FFFF)
        let start = places.byte
        places.byte += Int(word >> 32)
        let text = bytes.span.extracting(start..<places.byte)
        switch Call(rawValue: word & 0xFF) {
        case .text: try sink.text(text, number)
        case .integer: try sink.integer(Int64(bitPattern: value(&places)), number)
        case .null: try sink.null(number)
        case .real: try sink.real(Double(bitPattern: value(&places)), number)
        case .blob: try sink.blob(text, number)
        case .beginEntity: try sink.beginEntity(plans[number])
        case .endEntity: try sink.endEntity()
        case .type: try sink.type(plans[number])
        case .exact: try sink.exact(text, number)
        default: try playRare(Call(rawValue: word & 0xFF), text, &places, &sink)
        }
    }

    private func value(_ places: inout Places) -> UInt64 {
        places.word += 1
        return words[places.word - 1]
    }

    private func playRare(
        _ call: Call?,
        _ text: Span<UInt8>,
        _ places: inout Places,
        _ sink: inout some EntitySink
    ) throws {
        switch call {
        case .undeclared:
            let start = places.byte
            places.byte += Int(value(&places))
            try sink.undeclared(text, bytes.span.extracting(start..<places.byte))
        case .control:
            places.control += 1
            try sink.control(controls[places.control - 1], text)
        case .reference: try sink.bind(navigation(&places), to: text)
        case .beginNavigation: try sink.beginNavigation(navigation(&places), isDelta: false)
        case .beginDeltaNavigation: try sink.beginNavigation(navigation(&places), isDelta: true)
        case .endNavigation:
            places.nextLink += 1
            try sink.endNavigation(navigation(&places), nextLink: nextLinks[places.nextLink - 1])
        case .removed: try sink.removed(id: text, reason: .deleted)
        case .removedChanged: try sink.removed(id: text, reason: .changed)
        case .link:
            places.link += 1
            try sink.link(links[places.link - 1])
        default: preconditionFailure("a recording holds calls only")
        }
    }

    private func navigation(_ places: inout Places) -> NavigationPropertyID {
        places.navigation += 1
        return navigations[places.navigation - 1]
    }
}
