import ODataModelComparison
import ODataModel
import TestSupport
import Testing

/// How many mutations each document gets.
private let mutationsPerDocument = 60

/// A small generator with a seed, so that a find can be repeated (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Breaks bytes of documents at random; whatever comes of it, the reader returns or throws a `CSDLError` with a place.
@Suite struct MutationTests {
    private static let dictionary: [[UInt8]] = [
        "<", ">", "\"", "&", "&amp;", "&#0;", "<!DOCTYPE a>", "<![CDATA[", "-->", "xmlns=\"\"",
        "\u{0}",
        "Type=\"NS.X\"", "BaseType=\"NS.T\"", "Nullable=\"x\"", "{", "}", "[", "\\u", "null",
        "1e999",
        "$Kind", "EntityType", "Collection(", "99999999999999999999",
    ].map { Array($0.utf8) }

    private func mutate(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(bytes.count, place + Int.random(in: 0...40, using: &generator))
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 3: bytes.removeSubrange(place...)
            default:
                let word = Self.dictionary.randomElement(using: &generator) ?? []
                bytes.insert(contentsOf: word, at: place)
            }
        }
        return bytes
    }

    private func survives(_ bytes: [UInt8], seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        for _ in 0..<mutationsPerDocument {
            let mutant = mutate(bytes, &generator)
            do {
                let document = try CSDLDocument(reading: mutant)
                #expect(document.counts.schemas >= 0)
                _ = ModelComparison(from: document.model, to: document.model).verdict
            } catch {
                #expect(error.line > 0 || mutant.isEmpty, "\(error)")
            }
        }
    }

    @Test(arguments: 0..<10) func survivesBrokenXML(_ seed: UInt64) {
        let text = Documents.v4(
            """
            \(Documents.entity("T", #"<NavigationProperty Name="N" Type="NS.T"/>"#))
            <EnumType Name="E"><Member Name="A" Value="1"/></EnumType>
            <Action Name="A"><Parameter Name="p" Type="Edm.Int32"/></Action>
            <EntityContainer Name="C"><EntitySet Name="S" EntityType="NS.T"/></EntityContainer>
            <Annotations Target="NS.T/N"><Annotation Term="N.T"><Record/></Annotation></Annotations>
            """
        )
        survives(Array(text.utf8), seed: seed)
    }

    @Test(arguments: 0..<10) func survivesBrokenAssociations(_ seed: UInt64) {
        let text = Documents.v2(
            """
            \(Documents.entity("T", #"<NavigationProperty Name="N" Relationship="NS.A" FromRole="F" ToRole="G"/>"#))
            <Association Name="A"><End Type="NS.T" Role="F" Multiplicity="1"/>
            <End Type="NS.T" Role="G" Multiplicity="*"/></Association>
            <EntityContainer Name="C"><EntitySet Name="S" EntityType="NS.T"/>
            <AssociationSet Name="AS" Association="NS.A"><End Role="F" EntitySet="S"/>
            <End Role="G" EntitySet="S"/></AssociationSet></EntityContainer>
            """
        )
        survives(Array(text.utf8), seed: seed)
    }

    @Test(arguments: 0..<10) func survivesBrokenJSON(_ seed: UInt64) {
        let text = """
            {"$Version":"4.01","NS":{"T":{"$Kind":"EntityType","$Key":["ID"],"ID":{"$Type":"Edm.Int32"},
            "N":{"$Kind":"NavigationProperty","$Type":"NS.T"}},"E":{"$Kind":"EnumType","A":1},
            "F":[{"$Kind":"Function","$Parameter":[{"$Name":"p"}]}],
            "C":{"$Kind":"EntityContainer","S":{"$Collection":true,"$Type":"NS.T"}}}}
            """
        survives(Array(text.utf8), seed: seed)
    }

    @Test(
        .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)),
        arguments: TestScale.sample(Array(IndexedDocument.all), of: 24)
    )
    func survivesBrokenRealDocuments(_ indexed: IndexedDocument) throws {
        let bytes = try SharedData.bytes("metadata/" + indexed.file)
        // Large documents take their time; their beginning has as many kinds of elements.
        survives(Array(bytes.prefix(20_000)), seed: UInt64(indexed.file.utf8.count))
    }
}
