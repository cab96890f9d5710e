import SwiftUI

/// The app in which the tests of iOS run.
@main
struct HostApp: App {
    var body: some Scene {
        WindowGroup { Text(verbatim: "The tests run in this app.") }
    }
}
