extension EnglishConsoleTexts {
    // MARK: Frame

    var skipToContent: String { "Skip to content" }
    var menu: String { "Menu" }
    var sections: String { "Sections" }
    var account: String { "Your account" }
    var signOut: String { "Sign out" }
    var pagesTitle: String { "Pages" }
    var breadcrumb: String { "Breadcrumb" }
    var chartAsTable: String { "Show as a table" }
    var developmentServer: String { "Development server" }
    var cancel: String { "Cancel" }
    var show: String { "Show" }
    var filter: String { "Filter" }
    var reset: String { "Reset" }
    var create: String { "Create" }
    var any: String { "Any" }
    var never: String { "Never" }
    var firstPage: String { "First page" }
    var nextPage: String { "Next page" }
    var proceed: String { "Continue" }
    var actionsTitle: String { "Actions" }
    var problemPrefix: String { "Error:" }
    var notFound: String { "Not found" }
    var refused: String { "Not possible" }
    var signedIn: String { "You are signed in" }
}
