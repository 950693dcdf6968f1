import ODataModel
import ODataSQL
import ODataTables
import ODataText
import ODataValues

/// Leaves out annotations inside complex values that this service knows nothing of, as those of entities are
/// (OData JSON 4.01 § 20).
struct ForeignAnnotations {
    let schema: TableSchema

    func remove(from body: inout EntityBody) {
        if let table = schema.layout[schema.plans.source(of: body.plan)] {
            for index in body.values.indices
            where table.columns[body.values[index].slot].kind == .json {
                guard case .text(let json) = body.values[index].value, let left = without(json)
                else { continue }
                body.values[index].value = .text(left)
            }
        }
        for index in body.undeclared.indices {
            if let left = without(body.undeclared[index].json) {
                body.undeclared[index].json = left
            }
        }
        for place in body.inline.indices {
            for index in body.inline[place].entities.indices {
                remove(from: &body.inline[place].entities[index])
            }
        }
    }

    /// The JSON without them; nil where it has none.
    private func without(_ json: String) -> String? {
        guard json.utf8.contains(UInt8(ascii: "@")), let tree = JSONTree(Array(json.utf8)) else {
            return nil
        }
        var writer = JSONWriter()
        write(tree.root, in: tree, to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(_ node: JSONNode, in tree: JSONTree, to writer: inout JSONWriter) {
        writer.rewrite(node, in: tree) { _, members, writer in
            for member in members where !isForeign(member.name) {
                writer.name(member.name)
                write(member.value, in: tree, to: &writer)
            }
        }
    }

    /// Control information has the prefix `odata` or none; all other terms have a namespace.
    private func isForeign(_ name: String) -> Bool {
        guard let at = name.lastIndex(of: "@") else { return false }
        let term = name[name.index(after: at)...]
        return term.contains(".") && !term.hasPrefix("odata.")
    }
}
