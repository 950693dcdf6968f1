package import StoreRecords

/// Finds requests whose transactions wait for each other in a circle.
///
/// The transactions and single requests are the nodes of a graph, what they wait for its edges; a circle is a strongly connected
/// component of it (Tarjan's algorithm, with a stack of its own: queues are long).
package struct WaitingCircles {
    /// The requests of each circle, in the order of the queue.
    package private(set) var all: [[QueueEntry]] = []

    private var edges: [[Int]] = []
    private var index: [Int?] = []
    private var low: [Int] = []
    private var isOnStack: [Bool] = []
    private var stack: [Int] = []
    private var count = 0

    package init(_ entries: [QueueEntry]) {
        var nodes: [String: Int] = [:]
        var members: [[QueueEntry]] = []
        var node: [Int64: Int] = [:]
        for entry in entries {
            let name = entry.transaction.map { "t" + $0 } ?? "r\(entry.id)"
            let place = nodes[name] ?? members.count
            nodes[name] = place
            if place == members.count { members.append([]) }
            members[place].append(entry)
            node[entry.id] = place
        }
        edges = members.indices.map { place in
            let targets = members[place].flatMap(\.dependsOn).compactMap { node[$0] }
            return Set(targets).subtracting([place]).sorted()
        }
        index = Array(repeating: nil, count: edges.count)
        low = Array(repeating: 0, count: edges.count)
        isOnStack = Array(repeating: false, count: edges.count)
        let order = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.id, $0) })
        for place in edges.indices where index[place] == nil {
            for circle in circles(from: place) {
                let found = circle.flatMap { members[$0] }
                all.append(found.sorted { order[$0.id] ?? 0 < order[$1.id] ?? 0 })
            }
        }
    }

    /// Walks over what can be reached from a node; answers the components of more than one.
    private mutating func circles(from start: Int) -> [[Int]] {
        var found: [[Int]] = []
        var path: [(node: Int, next: Int)] = []
        enter(start)
        path.append((start, 0))
        while let (node, next) = path.last {
            guard next < edges[node].count else {
                path.removeLast()
                if let parent = path.last?.node { low[parent] = min(low[parent], low[node]) }
                if let component = component(of: node), component.count > 1 {
                    found.append(component)
                }
                continue
            }
            path[path.count - 1].next += 1
            let target = edges[node][next]
            if index[target] == nil {
                enter(target)
                path.append((target, 0))
            } else if isOnStack[target] {
                low[node] = min(low[node], index[target] ?? low[node])
            }
        }
        return found
    }

    private mutating func enter(_ node: Int) {
        index[node] = count
        low[node] = count
        count += 1
        stack.append(node)
        isOnStack[node] = true
    }

    /// The component that a node is the root of; nil where it is none.
    private mutating func component(of node: Int) -> [Int]? {
        guard low[node] == index[node] else { return nil }
        var members: [Int] = []
        while let member = stack.popLast() {
            isOnStack[member] = false
            members.append(member)
            if member == node { break }
        }
        return members
    }
}
