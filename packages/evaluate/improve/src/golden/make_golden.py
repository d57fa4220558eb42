"""Writes golden.json: what the reference implementation of GEPA (github.com/gepa-ai/gepa) decides, given the same random numbers.

With the version of packages/internal/e2e/src/improve/requirements.txt: python3 make_golden.py > golden.json
"""

import json
import random
from types import SimpleNamespace

from gepa.gepa_utils import remove_dominated_programs, select_program_candidate_from_pareto_front
from gepa.strategies.acceptance import StrictImprovementAcceptance
from gepa.strategies.batch_sampler import EpochShuffledBatchSampler
from gepa.strategies.component_selector import RoundRobinReflectionComponentSelector
from gepa.strategies.instruction_proposal import InstructionProposalSignature


class Numbers:
    """The two methods of random.Random that the reference calls, over numbers that are written down."""

    def __init__(self, numbers):
        self.numbers = iter(numbers)

    def shuffle(self, items):
        for at in range(len(items) - 1, 0, -1):
            other = int(next(self.numbers) * (at + 1))
            items[at], items[other] = items[other], items[at]

    def choice(self, items):
        return items[int(next(self.numbers) * len(items))]


class Loader:
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def all_ids(self):
        return list(range(self.count))


source = random.Random(20260101)


def numbers(count):
    return [round(source.random(), 6) for _ in range(count)]


def batches(count, size):
    given = numbers(60)
    sampler = EpochShuffledBatchSampler(size, Numbers(given))
    states = [SimpleNamespace(i=i) for i in range(12)]
    return {
        "count": count,
        "size": size,
        "numbers": given,
        "batches": [sampler.next_minibatch_ids(Loader(count), state) for state in states],
    }


def fronts_of(scores):
    fronts = {}
    for task in range(len(scores[0])):
        best = max(row[task] for row in scores)
        fronts[str(task)] = {at for at, row in enumerate(scores) if row[task] == best}
    return fronts


def front(candidates, tasks, levels):
    scores = [[source.randrange(levels) / (levels - 1) for _ in range(tasks)] for _ in range(candidates)]
    means = [sum(row) / tasks for row in scores]
    fronts = fronts_of(scores)
    left = remove_dominated_programs(fronts, scores=means)
    given = numbers(8)
    return {
        "scores": scores,
        "left": {task: sorted(front) for task, front in left.items()},
        "numbers": given,
        "chosen": [select_program_candidate_from_pareto_front(fronts, means, Numbers([n])) for n in given],
    }


def acceptance():
    before, after = ([source.randrange(3) / 2 for _ in range(3)] for _ in range(2))
    proposal = SimpleNamespace(subsample_scores_before=before, subsample_scores_after=after)
    return {"before": before, "after": after, "accepted": StrictImprovementAcceptance().should_accept(proposal, None)}


def turns():
    names = ["planner", "writer", "critic"]
    state = SimpleNamespace(
        named_predictor_id_to_update_next_for_program_candidate=[0], list_of_named_predictors=names
    )
    select = RoundRobinReflectionComponentSelector()
    order = []
    pointers = state.named_predictor_id_to_update_next_for_program_candidate
    for candidate in [0, 0, 1, 1, 0, 2, 1]:
        if candidate == len(pointers):
            # As GEPAState.update_state_with_new_program does it, for a child of the candidate before.
            pointers.append(max(pointers[candidate - 1 : candidate]))
        order.append([candidate, select(state, [], [], candidate, {})[0]])
    return {"names": names, "order": order}


answers = [
    "Here it is:\n```\nBe brief.\n```\nThat is all.",
    "```markdown\nBe brief.\nBe kind.\n```",
    "```Be brief.```",
    "Be brief.",
    "  Be brief.\n",
    "```text\nCut off before the end",
    "Begun without a mark\n```",
    "```\nOne\n```\nand\n```\nTwo\n```",
    "``````",
    "```\n\n```",
    "",
]

print(
    json.dumps(
        {
            "batches": [batches(count, size) for count, size in [(1, 3), (2, 3), (4, 3), (6, 3), (7, 3), (8, 5), (5, 1)]],
            "fronts": [
                front(candidates, tasks, levels)
                for candidates, tasks, levels in [(1, 3, 2), (2, 2, 2), (3, 4, 2), (4, 5, 3), (6, 6, 2), (8, 5, 2), (8, 10, 3)]
                for _ in range(3)
            ],
            "acceptance": [acceptance() for _ in range(20)],
            "turns": turns(),
            "instructions": [
                {"answer": answer, "text": InstructionProposalSignature.output_extractor(answer)["new_instruction"]}
                for answer in answers
            ],
        }
    )
)
