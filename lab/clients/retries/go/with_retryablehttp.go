package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

func newClient() *retryablehttp.Client {
	client := retryablehttp.NewClient()
	client.HTTPClient.Timeout = 10 * time.Second
	client.RetryMax = 4
	client.Logger = nil
	client.CheckRetry = func(ctx context.Context, response *http.Response, err error) (bool, error) {
		if ctx.Err() == nil && response != nil && response.Header.Get("Retry-After") != "" {
			return true, nil
		}
		return retryablehttp.DefaultRetryPolicy(ctx, response, err)
	}
	// The default ignores the Retry-After of a 400.
	client.Backoff = func(_, _ time.Duration, attempt int, response *http.Response) time.Duration {
		pause := 2 * time.Second
		if response != nil {
			if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
				pause = time.Duration(seconds) * time.Second
			}
		}
		return pause << attempt
	}
	// Without this, the number of the last error is lost.
	client.ErrorHandler = retryablehttp.PassthroughErrorHandler
	return client
}

func main() {
	plant := struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}{9007199254740993, "Fern"}
	body, err := json.Marshal(plant)
	if err != nil {
		log.Fatal(err)
	}
	request, err := retryablehttp.NewRequest("POST", os.Getenv("BASE_URL")+"/plants", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PLANT_STORE_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	response, err := newClient().Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var content struct {
		Name  string
		Error int
	}
	if err := json.NewDecoder(response.Body).Decode(&content); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode == http.StatusOK {
		fmt.Println(content.Name)
	} else {
		fmt.Println(content.Error)
	}
}
