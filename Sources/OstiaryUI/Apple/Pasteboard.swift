#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// The pasteboard of the system.
@MainActor
enum Pasteboard {
    /// The time for which a secret stays on the pasteboard, on platforms that remove it.
    private static let secretSeconds = 120.0

    /// Copies a secret: it does not reach other devices. On iOS it is removed after two minutes; on macOS it is marked for
    /// managers of the pasteboard, which then do not keep it.
    static func copySecret(_ text: String, now: Date = Date()) {
        #if canImport(UIKit)
        UIPasteboard.general.setItems(
            [["public.utf8-plain-text": text]],
            options: [.localOnly: true, .expirationDate: now.addingTimeInterval(secretSeconds)])
        #else
        let pasteboard = NSPasteboard.general
        pasteboard.prepareForNewContents(with: .currentHostOnly)
        pasteboard.setString(text, forType: .string)
        // Source: nspasteboard.org.
        pasteboard.setString("", forType: NSPasteboard.PasteboardType(rawValue: "org.nspasteboard.ConcealedType"))
        #endif
    }
}
#endif
