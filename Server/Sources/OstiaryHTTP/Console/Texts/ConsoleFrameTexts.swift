/// The texts that every page of the console has.
protocol ConsoleFrameTexts: Sendable {
    // MARK: Frame

    var skipToContent: String { get }
    var menu: String { get }
    var sections: String { get }
    var account: String { get }
    var signOut: String { get }
    var pagesTitle: String { get }
    var breadcrumb: String { get }
    var chartAsTable: String { get }
    var developmentServer: String { get }
    var cancel: String { get }
    var show: String { get }
    var filter: String { get }
    var reset: String { get }
    var create: String { get }
    var any: String { get }
    var never: String { get }
    var firstPage: String { get }
    var nextPage: String { get }
    var proceed: String { get }
    var actionsTitle: String { get }
    var problemPrefix: String { get }
    var notFound: String { get }
    var refused: String { get }
    var signedIn: String { get }
}
