import ODataValues
import Synchronization

/// What those who read a layout's tables keep with it, such as the shapes of their rows.
package final class LayoutCompanion: Sendable {
    private let kept = Mutex<(any AnyObject & Sendable)?>(nil)

    /// Returns what is kept, made by the closure the first time.
    package func value<T: AnyObject & Sendable>(make: () -> T) -> T {
        kept.guarded { kept in
            if let known = kept as? T { return known }
            let made = make()
            kept = made
            return made
        }
    }
}
