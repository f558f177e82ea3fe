"""Repair, prove, draft and fill up armies with a solver of linear constraints.

`armies` judges: every army that comes from here is checked by it again. Only `cpsat` imports
OR-Tools, which is an extra (`solver`), so that nothing else needs it to be installed.

An army that is built from nothing:

    army_model = ArmyModel(composition, book=book, fields={...})  # the fields of the army itself
    wing = army_model.add_command(army_model.root, "command")     # present or not
    army_model.add_leader(wing, "general", NodeDomain(...))       # at a key of its level
    horse = army_model.add_unit(wing, "unit", book.units["hussars"], NodeDomain(most=4))
    encoding = army_model.encode(limit=Decimal(250))              # every constraint; no slot later
    solver = Solver(army_model.model, seed=7)
    solution = solver.solve(maximise=encoding.points)             # None: there is no such army
    army = army_model.read_solution(solution, source, name="Sketch")  # an Army to `check`
    army_model.army_data(solution)                                # the data of its army file

Objectives and bounds are sums of `slot.present`, `slot.count` and `slot.amounts["stands"]`:
`solver.solve(subject_to=[(LinearExpr.of(slot.present), [(1, 1)])])`. `solver.require` restricts
all later questions, so that several objectives can be optimised one after the other.
"""
