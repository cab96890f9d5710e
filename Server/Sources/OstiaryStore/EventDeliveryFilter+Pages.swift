import OstiaryCore
import OstiaryEngine

/// The parts of a list of deliveries that each have an index in the order of the list: those of one state and one app, or of one
/// state and one endpoint. A list is merged from the first deliveries of each part.
extension EventDeliveryFilter {
    /// The column that the parts are of, beside the state.
    var column: String { endpoint == nil ? "app" : "endpoint_id" }
    /// The values of the column.
    var keys: [String] { endpoint.map { [$0.text] } ?? apps.map(\.text) }
    /// The states of the listed deliveries, in the order in which a delivery has them.
    var states: [String] { (state.map { [$0] } ?? EventDelivery.State.allCases).map(\.rawValue) }
}
