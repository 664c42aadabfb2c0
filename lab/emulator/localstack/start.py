"""Starts LocalStack without Docker and without downloads, on the loopback interface only.

- DynamoDB is moto's: LocalStack's own is DynamoDB Local, a Java program that it would download.
- Functions run in processes of the trial (functions.ts): LocalStack's own run in Docker.
"""

import json
import os
from functools import partial

import requests
from localstack.aws.api.dynamodb import DynamodbApi
from localstack.runtime.main import main
from localstack.services.lambda_.invocation.lambda_models import InvocationResult
from localstack.services.lambda_.invocation.plugins import DockerRuntimeExecutorPlugin
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor
from localstack.services.moto import MotoFallbackDispatcher
from localstack.services.plugins import SERVICE_PLUGINS, Service
from moto.dynamodb.models.table import Table
from twisted.internet import endpoints

# LocalStack 4.12 ignores the host of GATEWAY_LISTEN, and would listen on all addresses.
endpoints.TCP4ServerEndpoint = partial(endpoints.TCP4ServerEndpoint, interface="127.0.0.1")


class DynamoDbOfMoto(DynamodbApi):
    """Implements nothing, so that moto responds to every call."""


SERVICE_PLUGINS.add_service(
    Service.for_provider(DynamoDbOfMoto(), dispatch_table_factory=MotoFallbackDispatcher)
)

describe = Table.describe


def describe_with_id(table, base_key="TableDescription"):
    """LocalStack's CloudFormation reads the id of a table, which moto does not have."""
    described = describe(table, base_key)
    described[base_key]["TableId"] = table.name
    return described


Table.describe = describe_with_id


class ProcessExecutor(RuntimeExecutor):
    """One execution environment of a version. The first invocation starts its process."""

    def __init__(self, id, function_version):
        super().__init__(id, function_version)
        self.address = f"{os.environ['FUNCTIONS']}/{id}"

    def start(self, env_vars):
        folder = str(self.function_version.config.code.get_unzipped_code_location())
        # Lambda has the asset in /var/task. The function reads only the store's own variable of the endpoint.
        variables = {name: str(value).replace("/var/task", folder) for name, value in env_vars.items()}
        variables["AWS_ENDPOINT_URL_DYNAMODB"] = variables["AWS_ENDPOINT_URL"]
        timeout = self.function_version.config.timeout * 1000
        self.version = {"folder": folder, "timeoutMs": timeout, "variables": variables}

    def stop(self):
        requests.delete(self.address)

    def invoke(self, payload):
        event = json.loads(payload["payload"])
        response = requests.post(self.address, json={**self.version, "event": event})
        response.raise_for_status()
        outcome = response.json()
        is_error = "failed" in outcome
        result = {"errorType": outcome["failed"]} if is_error else outcome["response"]
        return InvocationResult(payload["invoke-id"], json.dumps(result).encode(), is_error, logs="")

    def get_address(self):
        return "127.0.0.1"

    get_endpoint_from_executor = get_address

    def get_runtime_endpoint(self):
        return self.address

    def get_logs(self):
        return ""

    @classmethod
    def prepare_version(cls, function_version):
        function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version):
        pass


DockerRuntimeExecutorPlugin.load = lambda self: ProcessExecutor
main()
