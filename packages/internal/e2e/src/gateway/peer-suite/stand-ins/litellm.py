"""Stands in for litellm, which is large and not to be had everywhere: one call of OpenAI's wire is all that is asked of it."""

import openai


def completion(model, messages, api_base, api_key, **more):
    client = openai.OpenAI(base_url=api_base, api_key=api_key)
    return client.chat.completions.create(model=model.split("/", 1)[1], messages=messages, **more)
