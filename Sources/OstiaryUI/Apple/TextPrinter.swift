#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// The printing of a plain text, in the system's dialog.
@MainActor
enum TextPrinter {
    /// `true` if the device can print.
    static var isAvailable: Bool {
        #if canImport(UIKit)
        UIPrintInteractionController.isPrintingAvailable
        #else
        true
        #endif
    }

    static func show(_ text: String) {
        #if canImport(UIKit)
        let controller = UIPrintInteractionController.shared
        controller.printFormatter = UISimpleTextPrintFormatter(text: text)
        controller.present(animated: true)
        #else
        // The printable width of US Letter and of A4.
        let view = NSTextView(frame: NSRect(x: 0, y: 0, width: 450, height: 650))
        view.string = text
        NSPrintOperation(view: view).run()
        #endif
    }
}
#endif
