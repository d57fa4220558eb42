"""Agents on the openai and anthropic libraries that solve the sums with tools; prints what they did, as JSON."""

import asyncio
import json
import sys

import anthropic
import openai

given = json.load(sys.stdin)
question, parameters = given["question"], given["parameters"]
names = ["add", "multiply"]


class Tools:
    def __init__(self):
        self.calls = []

    def run(self, name, arguments):
        values = json.loads(arguments) if isinstance(arguments, str) else arguments
        a, b = values["a"], values["b"]
        self.calls.append(f"{name}({a},{b})")
        return str(a + b if name == "add" else a * b)


async def openai_chat(at, tools, stream):
    functions = [{"type": "function", "function": {"name": name, "parameters": parameters}} for name in names]
    messages = [{"role": "user", "content": question}]
    async with openai.AsyncOpenAI(base_url=at["openai_url"], api_key=at["api_key"], max_retries=0) as client:
        while True:
            call = {"model": "mock-model", "messages": messages, "tools": functions}
            if stream:
                async with client.chat.completions.stream(**call) as events:
                    reply = await events.get_final_completion()
            else:
                reply = await client.chat.completions.create(**call)
            message = reply.choices[0].message
            messages.append(message.model_dump(exclude_none=True, exclude={"parsed"}))
            if not message.tool_calls:
                return message.content
            for use in message.tool_calls:
                result = tools.run(use.function.name, use.function.arguments)
                messages.append({"role": "tool", "tool_call_id": use.id, "content": result})


async def openai_responses(at, tools, stream):
    functions = [{"type": "function", "name": name, "parameters": parameters, "strict": False} for name in names]
    items = [{"role": "user", "content": question}]
    async with openai.AsyncOpenAI(base_url=at["openai_url"], api_key=at["api_key"], max_retries=0) as client:
        while True:
            call = {"model": "mock-model", "input": items, "tools": functions}
            if stream:
                async with client.responses.stream(**call) as events:
                    reply = await events.get_final_response()
            else:
                reply = await client.responses.create(**call)
            uses = [item for item in reply.output if item.type == "function_call"]
            if not uses:
                return reply.output_text
            items += [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in reply.output]
            for use in uses:
                result = tools.run(use.name, use.arguments)
                items.append({"type": "function_call_output", "call_id": use.call_id, "output": result})


async def anthropic_messages(at, tools, stream):
    functions = [{"name": name, "input_schema": parameters} for name in names]
    messages = [{"role": "user", "content": question}]
    options = {"base_url": at["anthropic_url"], "api_key": at["api_key"], "max_retries": 0}
    async with anthropic.AsyncAnthropic(**options) as client:
        while True:
            call = {"model": "mock-model", "max_tokens": 500, "messages": messages, "tools": functions}
            if stream:
                async with client.messages.stream(**call) as events:
                    reply = await events.get_final_message()
            else:
                reply = await client.messages.create(**call)
            messages.append({"role": "assistant", "content": reply.content})
            uses = [block for block in reply.content if block.type == "tool_use"]
            if not uses:
                return "".join(block.text for block in reply.content if block.type == "text")
            results = [
                {"type": "tool_result", "tool_use_id": use.id, "content": tools.run(use.name, use.input)}
                for use in uses
            ]
            messages.append({"role": "user", "content": results})


agents = {"openai chat": openai_chat, "openai responses": openai_responses, "anthropic": anthropic_messages}


async def play(run):
    tools = Tools()
    text = await agents[run["agent"]](run, tools, run["stream"])
    return {"text": text, "calls": tools.calls}


async def play_all():
    return await asyncio.gather(*[play(run) for run in given["runs"]])


print(json.dumps(asyncio.run(play_all())))
