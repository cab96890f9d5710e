import Foundation
import OstiaryCore
import OstiaryEngine
@testable import OstiaryEvents
import Testing

@Suite struct RequestSlotsTests {
    private let slots = RequestSlots(width: 7, perApp: 4, perEndpoint: 3)

    private func endpoint(_ digit: Int, of app: AppName, isHealthy: Bool = true) throws -> EventEndpoint {
        EventEndpoint(
            id: try EventEndpointID("ep_" + String(repeating: "\(digit)", count: 32)), app: app,
            url: "https://crm.example.com/", createdAt: .distantPast, lastSuccessAt: .distantPast,
            failingSince: isHealthy ? nil : .distantPast)
    }

    private func enter(_ endpoint: EventEndpoint, _ count: Int) {
        for _ in 0..<count { #expect(slots.enter(endpoint)) }
    }

    @Test func `counts the requests in total, of an app and of an endpoint`() throws {
        let (one, two) = (try endpoint(1, of: .videos()), try endpoint(2, of: .videos()))
        let other = try endpoint(3, of: .music())
        #expect(slots.available.limit == 3)
        enter(one, 3)
        #expect(slots.available.fullEndpoints == [one.id] && slots.available.fullApps.isEmpty)
        #expect(slots.available.limit == 1)
        enter(two, 1)
        #expect(slots.available.fullApps == [one.app] && slots.available.fullEndpoints.isEmpty)
        #expect(slots.available.limit == 3)
        enter(other, 3)
        #expect(slots.available.limit == 0)
        slots.leave(one.id)
        #expect(slots.available.fullApps.isEmpty && slots.available.fullEndpoints == [other.id])
        #expect(slots.available.limit == 1)
    }

    @Test func `an endpoint that fails has one request, also if it had more before`() throws {
        let (healthy, failing) = (try endpoint(1, of: .videos()), try endpoint(1, of: .videos(), isHealthy: false))
        enter(healthy, 2)
        #expect(slots.available.fullEndpoints.isEmpty)
        #expect(!slots.enter(failing))
        #expect(slots.available.fullEndpoints == [failing.id])
        for _ in 0..<2 { slots.leave(failing.id) }
        #expect(slots.available.fullEndpoints.isEmpty)
        enter(failing, 1)
        #expect(!slots.enter(failing) && slots.available.fullEndpoints == [failing.id])
    }

    @Test func `an endpoint without a success has one request`() throws {
        var new = try endpoint(1, of: .videos())
        new.lastSuccessAt = nil
        enter(new, 1)
        #expect(!slots.enter(new))
    }
}
