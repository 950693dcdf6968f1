import Foundation
import ODataBinding
import ODataURL
import Testing

/// What the limits allow must fit the stack of a thread that is not the main one: 512 KiB on Apple's systems.
@Suite struct StackTests {
    private static let depth = URLLimits().maximumExpressionDepth - 2

    private static func repeated(_ open: String, _ inner: String, _ close: String, _ count: Int)
        -> String
    {
        String(repeating: open, count: count) + inner + String(repeating: close, count: count)
    }

    static let urls: [String] = [
        "Products?$filter=" + repeated("(", "Sold", ")", depth),
        "Products?$filter=" + repeated("not (", "Sold", ")", depth / 2),
        "Products?$filter=" + repeated("tolower(", "Name", ")", depth / 3) + " eq 'a'",
        "Products?$filter=" + repeated("Category/Products/any(x:", "true", ")", 16),
        "Products?$filter=ID" + String(repeating: " add 1", count: depth - 1) + " eq 1",
        "Products?$filter=" + repeated("case(Sold:", "1", ")", depth / 2) + " eq 1",
        "Categories?"
            + repeated("$expand=Products($expand=Category(", "$top=1", "))", 8)
            .replacingOccurrences(of: "($top=1)", with: ""),
        "Products?$search=" + repeated("(", "a", ")", depth / 3),
        "Products?$apply=" + repeated("concat(identity,", "identity", ")", depth / 2),
    ]

    @Test(arguments: urls)
    func deepRequestsFitASmallStack(_ url: String) async throws {
        let model = ModelSketch.shop
        let outcome = await withCheckedContinuation { continuation in
            let thread = Thread {
                do throws(ODataURLError) {
                    let written = try WrittenRequest(parsing: url)
                    _ = written.json()
                    _ = try BoundRequest(written, in: model)
                    continuation.resume(returning: "bound")
                } catch {
                    continuation.resume(returning: "\(error)")
                }
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(outcome == "bound", "\(url.prefix(60))")
    }
}
