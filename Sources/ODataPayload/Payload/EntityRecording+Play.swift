import ODataModel

extension EntityRecording {
    /// Replays all calls to a sink in their original order.
    ///
    /// - Parameter pause: Called now and then, when some hundred entities have been played.
    package func play(into sink: inout some PlainEntitySink, pause: () -> Void = {}) throws {
        var places = Places()
        var next = Self.wordsWithoutPause
        while places.word < words.count {
            try playNext(&places, into: &sink)
            guard places.word >= next else { continue }
            pause()
            next = places.word + Self.wordsWithoutPause
        }
    }

    /// Words that are played in less than a millisecond.
    private static let wordsWithoutPause = 8_192

    /// How far the playing has come in each list.
    private struct Places {
        var word = 0
        var byte = 0
        var control = 0
        var navigation = 0
        var nextLink = 0
        var link = 0
    }

    private func playNext(_ places: inout Places, into sink: inout some PlainEntitySink) throws {
        let call = RecordedCall(words[places.word])
        switch call.name {
        case .beginEntity where call.length > 0:
            return try playPlain(call, places: &places, into: &sink)
        case .beginEntity: try sink.beginEntity(plans[call.number])
        case .endEntity: try sink.endEntity()
        case .type: try sink.type(plans[call.number])
        default: return try playText(call, places: &places, into: &sink)
        }
        places.word += 1
    }

    /// Plays the plain entities of one type that begin here.
    private func playPlain(
        _ begin: RecordedCall,
        places: inout Places,
        into sink: inout some PlainEntitySink
    ) throws {
        var run = PlainRun(word: places.word, byte: places.byte)
        var count = 0
        repeat {
            _ = run.next(words.span)
            count += 1
        } while run.word < words.count && run.word - places.word < Self.wordsWithoutPause
            && isPlain(run.word, of: begin.number)
        try sink.plainEntities(
            plans[begin.number],
            count: count,
            calls: words.span.extracting(places.word..<run.word),
            bytes: bytes.span.extracting(places.byte..<run.byte)
        )
        places.word = run.word
        places.byte = run.byte
    }

    /// Whether a plain entity of a type begins with a word.
    private func isPlain(_ word: Int, of plan: Int) -> Bool {
        let call = RecordedCall(words[word])
        return call.name == .beginEntity && call.length > 0 && call.number == plan
    }

    private func playText(
        _ call: RecordedCall,
        places: inout Places,
        into sink: inout some PlainEntitySink
    ) throws {
        let start = places.byte
        places.byte += call.length
        let text = bytes.span.extracting(start..<places.byte)
        guard call.isPlain else {
            places.word += 1
            return try playRare(call, text: text, places: &places, into: &sink)
        }
        let value = call.hasValue ? words[places.word + 1] : 0
        places.word += try sink.takeValue(call, text: text, value: value)
    }

    private func playRare(
        _ call: RecordedCall,
        text: Span<UInt8>,
        places: inout Places,
        into sink: inout some EntitySink
    ) throws {
        switch call.name {
        case .undeclared:
            let start = places.byte
            places.byte += Int(words[places.word])
            places.word += 1
            try sink.undeclared(text, json: bytes.span.extracting(start..<places.byte))
        case .streamControl:
            let start = places.byte
            places.byte += Int(words[places.word])
            places.word += 1
            places.control += 1
            try sink.streamControl(
                text,
                controls[places.control - 1],
                value: bytes.span.extracting(start..<places.byte)
            )
        case .control:
            places.control += 1
            try sink.control(controls[places.control - 1], value: text)
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
