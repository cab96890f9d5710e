#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

extension View {
    /// Adds a button above keypads without a return key, with the function of the return key.
    ///
    /// The placement exists on iOS, Mac Catalyst and macOS, where it means the Touch Bar; keypads exist on iOS only.
    ///
    /// - Parameters:
    ///   - isShown: `true` while the focus is on a field with such a keypad.
    ///   - action: Moves to the next field, or sends the form.
    func keypadToolbar(_ title: String, isShown: Bool, action: @escaping () -> Void) -> some View {
        #if canImport(UIKit) && !os(visionOS) && !os(tvOS) && !os(watchOS)
        toolbar {
            ToolbarItemGroup(placement: .keyboard) {
                if isShown {
                    Spacer()
                    Button(title, action: action).accessibilityIdentifier("keypad-continue")
                }
            }
        }
        #else
        self
        #endif
    }

    /// Dismisses the keyboard when its form is scrolled, on platforms with a keyboard on the screen.
    ///
    /// The modifier does not exist on visionOS.
    func dismissesKeyboardOnScroll() -> some View {
        #if canImport(UIKit) && !os(visionOS) && !os(tvOS) && !os(watchOS)
        scrollDismissesKeyboard(.interactively)
        #else
        self
        #endif
    }
}
#endif
