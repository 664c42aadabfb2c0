package main

import (
	"context"
	"fmt"
	"os"

	"example/plants"
)

type token string

func (t token) Bearer(context.Context, plants.OperationName) (plants.Bearer, error) {
	return plants.Bearer{Token: string(t)}, nil
}

func main() {
	client, err := plants.NewClient(os.Getenv("BASE_URL"), token(os.Getenv("PLANT_STORE_TOKEN")))
	if err != nil {
		panic(err)
	}
	for _, plant := range []plants.NewPlant{
		{ID: 9007199254740993, Name: "Fern"},
		{ID: 9223372036854775807, Name: "Fern"},
		{ID: 9223372036854775807, Name: "Moss"},
	} {
		response, err := client.CreatePlant(context.Background(), &plant)
		if err != nil {
			panic(err)
		}
		switch response := response.(type) {
		case *plants.PlantHeaders:
			fmt.Println(response.Response.Name)
		case *plants.ErrorHeaders:
			fmt.Println(response.Response.Error)
		}
	}
}
