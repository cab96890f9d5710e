#if NIO
import NIOCore
import OstiaryClient
import Synchronization

/// The connections of one transport, by origin: the idle ones, and the calls that wait for one.
///
/// A request is sent once. It is repeated, at most once, only if a kept connection turns out to be closed, and only if
/// nothing of it was written or it is a GET or HEAD. Any other request uses a connection that was in use within
/// ``ExchangeLimits/assuredlyOpen``, or a new one, so that it rarely meets a closed one; if it does, the caller must
/// assume that the server may have processed it.
final class ConnectionPool: Sendable {
    private struct Idle {
        let channel: any Channel
        let since: Duration
    }

    private struct OriginConnections {
        var idle: [Idle] = []
        /// The connections that are open or being opened.
        var open = 0
        var waiting: [Call] = []
        var isUnused: Bool { open == 0 && waiting.isEmpty }

        /// Removes and returns the first waiting call that was not abandoned.
        mutating func next() -> Call? {
            while !waiting.isEmpty {
                let call = waiting.removeFirst()
                if !call.isAbandoned { return call }
            }
            return nil
        }
    }

    private struct State {
        var connections: [Origin: OriginConnections] = [:]
        var isShut = false
    }

    private enum Step {
        case write(any Channel)
        case open(instead: (any Channel)?)
        case wait
    }

    private let state = Mutex(State())
    private let connector: Connector
    private let limits: ExchangeLimits
    private let uptime: @Sendable () -> Duration

    init(connector: Connector, limits: ExchangeLimits, uptime: @escaping @Sendable () -> Duration) {
        self.connector = connector
        self.limits = limits
        self.uptime = uptime
    }

    var eventLoop: any EventLoop { connector.group.any() }

    /// Sends a call on an idle connection, on a new one, or as soon as a connection becomes free.
    func submit(_ call: Call, onNewConnection: Bool = false) {
        guard !call.isAbandoned else { return }
        let now = uptime()
        let step = state.withLock { state in
            Self.step(
                for: call, onNewConnection, in: &state.connections[call.origin, default: OriginConnections()], limits,
                now)
        }
        switch step {
        case .write(let channel): write(call, on: channel, isNew: false)
        case .open(let old):
            old?.close(promise: nil)
            open(for: call)
        case .wait: break
        }
    }

    private static func step(
        for call: Call, _ onNewConnection: Bool, in connections: inout OriginConnections, _ limits: ExchangeLimits,
        _ now: Duration
    ) -> Step {
        let longest = call.isSafe ? limits.idle : limits.assuredlyOpen
        if !onNewConnection, let last = connections.idle.last, now - last.since <= longest {
            connections.idle.removeLast()
            return .write(last.channel)
        }
        let isFull = connections.open >= limits.connections
        guard !isFull || !connections.idle.isEmpty else {
            connections.waiting.append(call)
            return .wait
        }
        connections.open += 1
        return .open(instead: isFull ? connections.idle.removeFirst().channel : nil)
    }

    private func open(for call: Call) {
        connector.connect(for: call, in: self).whenComplete { [self] result in
            switch result {
            case .success(let channel):
                channel.closeFuture.whenComplete { _ in self.closed(channel, to: call.origin) }
                write(call, on: channel, isNew: true)
            case .failure(let error):
                closed(nil, to: call.origin)
                call.outcome.end(.failure(error as? TransportError ?? .offline))
            }
        }
    }

    private func write(_ call: Call, on channel: any Channel, isNew: Bool) {
        channel.writeAndFlush(call).whenFailure { [self] error in
            guard isNew else { return submit(call, onNewConnection: true) }
            call.outcome.end(.failure((error as? NotWritten)?.reason ?? .offline))
        }
    }

    /// Takes back a connection whose exchange has ended: for the next waiting call, or as idle.
    func finished(_ channel: any Channel, to origin: Origin) {
        let now = uptime()
        let (next, isKept) = state.withLock { state in
            guard !state.isShut, channel.isActive else { return (nil as Call?, false) }
            let next = state.connections[origin]?.next()
            if next == nil { state.connections[origin]?.idle.append(Idle(channel: channel, since: now)) }
            return (next, true)
        }
        if let next { write(next, on: channel, isNew: false) }
        if !isKept { channel.close(promise: nil) }
    }

    private func closed(_ channel: (any Channel)?, to origin: Origin) {
        let next = state.withLock { state in
            guard var connections = state.connections[origin] else { return nil as Call? }
            connections.open -= 1
            connections.idle.removeAll { $0.channel === channel }
            let next = connections.open < limits.connections ? connections.next() : nil
            if next != nil { connections.open += 1 }
            state.connections[origin] = connections.isUnused ? nil : connections
            return next
        }
        if let next { open(for: next) }
    }

    /// Closes the idle connections now, and each other connection at the end of its exchange.
    func shut() {
        let idle = state.withLock { state in
            state.isShut = true
            return state.connections.values.flatMap(\.idle)
        }
        for each in idle { each.channel.close(promise: nil) }
    }
}

/// The error of a call of which nothing was written.
struct NotWritten: Error {
    /// The reason why the connection is unusable; `nil` if it was closed.
    let reason: TransportError?
}
#endif
