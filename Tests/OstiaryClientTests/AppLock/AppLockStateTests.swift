import Testing

@testable import OstiaryClient

@Suite struct AppLockStateTests {
    private enum Step { case leave(Int), enter(Int), signIn, pass }

    /// Whether it is open after the steps, at the second of the last one.
    private func isOpen(_ policy: AppLockPolicy, _ steps: [Step], at second: Int = 1000) -> Bool {
        var state = AppLockState(policy: policy)
        for step in steps {
            switch step {
            case .leave(let second): state.didEnterBackground(at: .seconds(second))
            case .enter(let second): state.willEnterForeground(at: .seconds(second))
            case .signIn: state.open()
            case .pass: _ = state.open(asked: state.generation)
            }
        }
        return state.isOpen(at: .seconds(second))
    }

    private static let policies = [
        AppLockPolicy.never, .always, .onForeground, .afterBackground(.seconds(60)), .afterBackground(.zero),
    ]

    @Test(arguments: policies)
    func `is closed at the start, unless it is never`(policy: AppLockPolicy) {
        #expect(isOpen(policy, []) == (policy == .never))
    }

    @Test(arguments: policies)
    func `opens to whoever signs in or passes`(policy: AppLockPolicy) {
        #expect(isOpen(policy, [.signIn]) && isOpen(policy, [.pass]))
    }

    @Test(arguments: policies)
    func `the app's first appearance changes nothing`(policy: AppLockPolicy) {
        #expect(isOpen(policy, [.enter(1)]) == isOpen(policy, []))
        #expect(isOpen(policy, [.signIn, .enter(1)]))
    }

    @Test(arguments: [
        (AppLockPolicy.never, true, true), (.always, false, false), (.onForeground, true, false),
        (.afterBackground(.seconds(60)), true, true), (.afterBackground(.zero), false, false),
    ])
    func `a moment in the background`(policy: AppLockPolicy, isOpenThere: Bool, isOpenAfter: Bool) {
        #expect(isOpen(policy, [.signIn, .leave(10)], at: 10) == isOpenThere)
        #expect(isOpen(policy, [.signIn, .leave(10), .enter(10)], at: 10) == isOpenAfter)
    }

    @Test(arguments: [(59, true), (60, false), (61, false)])
    func `closes once it was in the background for long enough`(seconds: Int, isOpenThen: Bool) {
        let policy = AppLockPolicy.afterBackground(.seconds(60))
        #expect(isOpen(policy, [.signIn, .leave(100)], at: 100 + seconds) == isOpenThen)
        #expect(isOpen(policy, [.signIn, .leave(100), .enter(100 + seconds)], at: 100 + seconds) == isOpenThen)
    }

    @Test func `counts each time in the background for itself, from its beginning`() {
        let policy = AppLockPolicy.afterBackground(.seconds(60))
        #expect(isOpen(policy, [.signIn, .leave(0), .enter(40), .leave(50), .enter(90)]))
        #expect(!isOpen(policy, [.signIn, .leave(0), .leave(59), .enter(61)]))
    }

    @Test func `an answer to an earlier question opens nothing`() {
        var state = AppLockState(policy: .onForeground)
        let asked = state.generation
        state.didEnterBackground(at: .seconds(1))
        state.willEnterForeground(at: .seconds(2))
        #expect(!state.open(asked: asked) && !state.isOpen(at: .seconds(3)))
        #expect(state.open(asked: state.generation) && state.isOpen(at: .seconds(3)))
    }

    /// A screen that asks when it appears may ask before the gate has heard that the app is in front.
    @Test(arguments: [AppLockPolicy.always, .onForeground, .afterBackground(.seconds(60)), .afterBackground(.zero)])
    func `an answer to a question from the way back to the front counts`(policy: AppLockPolicy) {
        var state = AppLockState(policy: policy)
        state.didEnterBackground(at: .seconds(1))
        let asked = state.generation
        state.willEnterForeground(at: .seconds(100))
        #expect(!state.isOpen(at: .seconds(100)))
        #expect(state.open(asked: asked) && state.isOpen(at: .seconds(100)))
    }

    @Test func `never cannot be closed`() {
        var state = AppLockState(policy: .never)
        state.close()
        #expect(state.isOpen(at: .zero))
    }
}
